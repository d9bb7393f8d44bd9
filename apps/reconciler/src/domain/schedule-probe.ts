import { nextDelay, type RetryBudget } from '@counterpart/sync-model';
import type { Readback } from './readback.js';

/**
 * How long a source may be unreadable before a person is told. Half an hour covers a CRM's restart
 * and a spent quota window; what lasts longer is seldom mended by asking again.
 */
export const probeBudget: RetryBudget = {
  attemptsMax: 15,
  ageMaxMs: 30 * 60_000,
  backoffBaseMs: 1_000,
  backoffCapMs: 120_000,
};

export type NextProbe =
  | { readonly kind: 'again'; readonly dueAtMs: number; readonly counts: boolean }
  | { readonly kind: 'give-up'; readonly code: string };

/** Codes that say that no call was made because our own limiter said no. */
const uncharged: ReadonlySet<string> = new Set(['quota', 'budget-unavailable']);
const OWN_LIMIT_WAIT_MS = 1_000;

/** When a probe that could not be made is tried again; what the provider asked for is a minimum. */
export function scheduleProbe(
  readback: Pick<Readback, 'attempts' | 'settleAtMs'>,
  fault: { readonly code: string; readonly retryAtMs: number | null },
  world: { readonly nowMs: number; readonly fraction: number; readonly budget?: RetryBudget },
): NextProbe {
  const { nowMs } = world;
  if (uncharged.has(fault.code)) {
    const dueAtMs = Math.max(nowMs + OWN_LIMIT_WAIT_MS, fault.retryAtMs ?? 0);
    return { kind: 'again', dueAtMs, counts: false };
  }
  const delay = nextDelay({
    budget: world.budget ?? probeBudget,
    attemptsMade: readback.attempts + 1,
    ageMs: Math.max(0, nowMs - readback.settleAtMs),
    retryAfterMs: fault.retryAtMs === null ? null : Math.max(0, fault.retryAtMs - nowMs),
    fraction: world.fraction,
  });
  return delay.kind === 'wait'
    ? { kind: 'again', dueAtMs: nowMs + delay.waitMs, counts: true }
    : { kind: 'give-up', code: fault.code };
}
