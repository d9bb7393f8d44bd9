import { nextDelay, type RetryBudget } from '@counterpart/sync-model';
import type { WorkItem } from './work.js';

/**
 * Tries and total age one lane head may use, waiting included. An outage ends by age: it outlives a
 * provider's daily quota and a night, and good work is not parked because a CRM is away.
 */
export const headBudget: RetryBudget = {
  attemptsMax: 2_000,
  ageMaxMs: 26 * 3_600_000,
  backoffBaseMs: 250,
  backoffCapMs: 60_000,
};

/** A fault of our own does not mend by waiting: a few tries, then a person is told. */
export const ownFaultBudget: RetryBudget = { ...headBudget, attemptsMax: 5 };

export type Retry =
  | { readonly kind: 'wait'; readonly dueAtMs: number; readonly counts: boolean }
  | { readonly kind: 'exhausted'; readonly reason: string };

/** When a deferred head is due again. What the provider asked for is a minimum, never shortened. */
export const decideRetry = (
  item: Pick<WorkItem, 'attempts' | 'firstFailedAtMs'>,
  defer: { readonly retryAtMs: number | null; readonly counts: boolean; readonly reason: string },
  world: { readonly nowMs: number; readonly fraction: number; readonly budget: RetryBudget },
): Retry => {
  const waitMs = defer.retryAtMs === null ? null : Math.max(0, defer.retryAtMs - world.nowMs);
  if (!defer.counts) return { kind: 'wait', dueAtMs: world.nowMs + (waitMs ?? 0), counts: false };
  const delay = nextDelay({
    budget: world.budget,
    attemptsMade: item.attempts + 1,
    ageMs: item.firstFailedAtMs === null ? 0 : world.nowMs - item.firstFailedAtMs,
    retryAfterMs: waitMs,
    fraction: world.fraction,
  });
  return delay.kind === 'wait'
    ? { kind: 'wait', dueAtMs: world.nowMs + delay.waitMs, counts: true }
    : { kind: 'exhausted', reason: `budget-${delay.reason}:${defer.reason}` };
};
