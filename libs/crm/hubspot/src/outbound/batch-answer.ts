import type { HttpAnswer } from '@counterpart/crm-port';
import { classifyItem, type Failure } from './classify.js';
import { objectAt, objectsAt, parseObject, textsAt, type JsonObject } from './untrusted-json.js';

/** One input of a batch call. */
export interface BatchInput {
  readonly traceId: string;
  /** Two inputs with the same key never share a call: HubSpot would refuse both. */
  readonly key: string | null;
  readonly body: JsonObject;
}

/** What the answer says of an input: its entry, a refusal, or nothing. */
export type ItemAnswer =
  { readonly kind: 'entry'; readonly entry: JsonObject } | Failure | { readonly kind: 'silent' };

export interface BatchReading {
  readonly answers: readonly ItemAnswer[];
  /** False for an answer that is no batch answer at all: empty, cut off, somebody else's page. */
  readonly isWellFormed: boolean;
}

/** True when the entry is the result of the input, judged by what both hold. */
export type IsResultOf = (entry: JsonObject, input: BatchInput, isOnlyInput: boolean) => boolean;

/**
 * The inputs' answers in a 2xx body, in the order of the inputs. HubSpot does not keep that order,
 * so an entry is matched by what it says: trace id, record id or key. An input that neither a
 * result nor an error names is `silent`; it is nobody's success.
 */
export const readBatch = (
  answer: HttpAnswer,
  inputs: readonly BatchInput[],
  isResultOf: IsResultOf,
): BatchReading => {
  const body = parseObject(answer.body);
  const listed = body && objectsAt(body, 'results');
  const results = listed ?? [];
  const errors = (body && objectsAt(body, 'errors')) ?? [];
  const isOnly = inputs.length === 1;
  const told = inputs.map((input): ItemAnswer => {
    const entry = results.find((result) => isResultOf(result, input, isOnly));
    if (entry !== undefined) return { kind: 'entry', entry };
    const error = errors.find((candidate) => names(candidate, input, isOnly));
    return error === undefined ? { kind: 'silent' } : classifyItem(error);
  });
  return { answers: told, isWellFormed: listed !== undefined };
};

/** With one input there is nobody else whom an error could be about. */
const names = (error: JsonObject, { traceId, body }: BatchInput, isOnly: boolean): boolean => {
  if (isOnly) return true;
  const context = objectAt(error, 'context');
  if (context === undefined) return false;
  const id = body['id'];
  return (
    textsAt(context, 'objectWriteTraceId').includes(traceId) ||
    (typeof id === 'string' && [...textsAt(context, 'ids'), ...textsAt(context, 'id')].includes(id))
  );
};
