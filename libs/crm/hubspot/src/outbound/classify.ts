import type { HttpAnswer, WriteResult } from '@counterpart/crm-port';
import { invalidIdsCode, problemDetail, problemOf, type Problem } from './problem.js';
import { retryAfterMs } from './retry-after.js';
import { parseObject, textAt, type JsonObject } from './untrusted-json.js';

/** What an answer means for the items it was about, when it is no success. */
export type Failure = Exclude<WriteResult, { kind: 'confirmed' }>;
export type Refused = Extract<Failure, { kind: 'refused' }>;

/** 423: HubSpot asks for at least two seconds before a locked record is tried again. */
const lockedWaitMs = 2_000;
/** 477: an account is being moved. Without Retry-After nothing is known of its length. */
const movingWaitMs = 60_000;

/**
 * From an answer outside 2xx to a verdict, by status, category and code, never by a message.
 * Anything HubSpot did not clearly say no to is `unknown`: the write may have happened.
 */
export const classifyAnswer = (answer: HttpAnswer, nowMs: number): Failure => {
  const body = parseObject(answer.body);
  const { status } = answer;
  const throttled = (code: string, waitMs: number): Failure => ({
    kind: 'throttled',
    retryAtMs: retryAfterMs(answer, nowMs) ?? nowMs + waitMs,
    code,
  });
  switch (status) {
    case 429: {
      const policy = policyOf(body);
      return throttled(policy.code, policy.waitMs(nowMs));
    }
    case 423:
      return throttled('locked', lockedWaitMs);
    case 477:
      return throttled('account-moving', movingWaitMs);
    case 408:
      return { kind: 'unknown', code: 'http-408' };
  }
  const isRefusal = status >= 400 && status < 500;
  return isRefusal
    ? refusal(status, problemOf(body ?? {}))
    : { kind: 'unknown', code: `http-${status}` };
};

/**
 * One error of a 207 answer. It has no status of its own, so only categories that are known to be
 * a refusal count as one; the item of any other may have been written.
 */
export const classifyItem = (error: JsonObject): Failure => {
  const problem = problemOf(error);
  return refusingCategories.has(problem.category ?? '')
    ? refusal(null, problem)
    : { kind: 'unknown', code: 'item-error' };
};

const refusingCategories: ReadonlySet<string> = new Set([
  'CONFLICT',
  'OBJECT_NOT_FOUND',
  'VALIDATION_ERROR',
  'MISSING_SCOPES',
]);

const refusal = (status: number | null, problem: Problem): Refused => {
  const code = refusalCode(status, problem);
  return {
    kind: 'refused',
    code,
    detail: problemDetail(status, problem),
    existingId: code === 'already-exists' ? problem.existingId : null,
    field: problem.property,
  };
};

/** Nested codes are the most exact, then the category, then the status. */
const refusalCode = (status: number | null, problem: Problem): string => {
  if (problem.codes.includes('CONFLICTING_UNIQUE_VALUE')) return 'already-exists';
  if (status === 401) return 'credentials';
  if (status === 403 || problem.category === 'MISSING_SCOPES') return 'permission';
  if (status === 409 || problem.category === 'CONFLICT') return 'already-exists';
  // A bare 404 may come from a proxy or a wrong base URL; only the category speaks of a record.
  if (problem.category === 'OBJECT_NOT_FOUND' || problem.codes.includes(invalidIdsCode))
    return 'not-found';
  return problem.property === null ? 'invalid' : 'invalid-field';
};

interface LimitPolicy {
  readonly code: string;
  readonly waitMs: (nowMs: number) => number;
}

const dayMs = 86_400_000;

/** How long each of HubSpot's limits lasts. The daily one ends at a midnight of an unknown zone. */
const policies: ReadonlyMap<string, LimitPolicy> = new Map([
  ['SECONDLY', { code: 'limit-secondly', waitMs: () => 1_000 }],
  ['TEN_SECONDLY_ROLLING', { code: 'limit-ten-secondly', waitMs: () => 10_000 }],
  ['DAILY', { code: 'limit-daily', waitMs: (nowMs: number) => dayMs - (nowMs % dayMs) }],
]);

const policyOf = (body: JsonObject | undefined): LimitPolicy =>
  policies.get((body && textAt(body, 'policyName')) ?? '') ?? {
    code: 'limit',
    waitMs: () => 10_000,
  };
