import { asExternalId, type ExternalId } from '@counterpart/sync-model';
import { objectAt, objectsAt, textAt, textsAt, type JsonObject } from './untrusted-json.js';

/** What HubSpot says is wrong, of a whole answer or of one item of a batch. Codes only. */
export interface Problem {
  readonly category: string | null;
  /** Codes of the nested errors: `INVALID_OPTION`, `CONFLICTING_UNIQUE_VALUE` … */
  readonly codes: readonly string[];
  /** The property the first nested error is about. */
  readonly property: string | null;
  readonly existingId: ExternalId | null;
  readonly correlationId: string | null;
}

export const problemOf = (body: JsonObject): Problem => {
  const nested = objectsAt(body, 'errors') ?? [];
  return {
    category: textAt(body, 'category') ?? null,
    codes: [
      ...nested.map((error) => textAt(error, 'code')).filter((code) => code !== undefined),
      ...contextCodes(objectAt(body, 'context') ?? {}),
    ],
    property: nested.map(propertyOf).find((name) => name !== undefined) ?? null,
    existingId: existingIdOf(textAt(body, 'message') ?? ''),
    correlationId: textAt(body, 'correlationId') ?? null,
  };
};

/** Associations give this code as a key of the context, beside the ids (HubSpot/hubspot-api-nodejs#646). */
const contextCodes = (context: JsonObject): readonly string[] =>
  Object.hasOwn(context, invalidIdsCode) ? [invalidIdsCode] : [];

/** A record that the call refers to is not there. */
export const invalidIdsCode = 'INVALID_OBJECT_IDS';

const propertyOf = (error: JsonObject): string | undefined => {
  const context = objectAt(error, 'context');
  return context === undefined ? undefined : textsAt(context, 'propertyName')[0];
};

/**
 * The only message text ever read: HubSpot names the record that stands in the way nowhere else,
 * and documents this form. When it changes, the record is looked up by its key instead.
 */
const existingIdOf = (message: string): ExternalId | null => {
  const id = /Existing ID:\s*(\d+)/.exec(message)?.[1];
  return id === undefined ? null : asExternalId(id);
};

/** For people and cases: codes and the number HubSpot's support asks for, never a value. */
export const problemDetail = (status: number | null, problem: Problem): string =>
  [
    status === null ? 'item' : `HTTP ${status}`,
    ...[problem.category ?? 'no category', ...new Set(problem.codes)].map(codeText),
    ...(problem.correlationId === null ? [] : [`correlation ${codeText(problem.correlationId)}`]),
  ].join(' ');

/** A code is a short word; anything else in its place might be somebody's data. */
const codeText = (text: string): string => (/^[\w .-]{1,64}$/.test(text) ? text : '(no code)');
