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
  /** Some input was refused and the answer does not say which. */
  readonly hasUnnamedErrors: boolean;
}

/** True when the entry is the result of the input, judged by what both hold. */
export type IsResultOf = (entry: JsonObject, input: BatchInput) => boolean;

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
  const results = (body && objectsAt(body, 'results')) ?? [];
  const errors = (body && objectsAt(body, 'errors')) ?? [];
  const told = inputs.map((input): ItemAnswer => {
    const entry = results.find((result) => isResultOf(result, input));
    if (entry !== undefined) return { kind: 'entry', entry };
    const error = errors.find((candidate) => names(candidate, input));
    return error === undefined ? { kind: 'silent' } : classifyItem(error);
  });
  const isOnly = inputs.length === 1 && told[0]?.kind === 'silent';
  return {
    answers: isOnly ? [onlyAnswer(results, errors)] : told,
    hasUnnamedErrors: errors.some((error) => !inputs.some((input) => names(error, input))),
  };
};

/** With one input there is nobody else whom the one entry could be about. */
const onlyAnswer = (results: readonly JsonObject[], errors: readonly JsonObject[]): ItemAnswer => {
  const [entry] = results;
  const [error] = errors;
  if (entry !== undefined && results.length === 1 && error === undefined) {
    return { kind: 'entry', entry };
  }
  return error !== undefined && entry === undefined ? classifyItem(error) : { kind: 'silent' };
};

const names = (error: JsonObject, { traceId, body }: BatchInput): boolean => {
  const context = objectAt(error, 'context');
  if (context === undefined) return false;
  const id = body['id'];
  return (
    textsAt(context, 'objectWriteTraceId').includes(traceId) ||
    (typeof id === 'string' && [...textsAt(context, 'ids'), ...textsAt(context, 'id')].includes(id))
  );
};
