/** How long and how often one operation may be tried. */
export interface RetryBudget {
  /** Attempts in all, the first included. */
  readonly attemptsMax: number;
  /** Total age at which the operation is given up, queueing and waiting included. */
  readonly ageMaxMs: number;
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
}

export interface DelayQuestion {
  readonly budget: RetryBudget;
  /** Attempts made so far, at least 1. */
  readonly attemptsMade: number;
  /** Age of the operation now. */
  readonly ageMs: number;
  /** What the provider asked for; null when it asked for nothing. */
  readonly retryAfterMs: number | null;
  /** Full jitter: a fresh uniform fraction in [0, 1). */
  readonly fraction: number;
}

export type NextDelay =
  | { readonly kind: 'wait'; readonly waitMs: number }
  | {
      readonly kind: 'exhausted';
      readonly reason: 'attempts' | 'age';
      /** The wait that was asked for: a caller that defers instead of escalating may use it. */
      readonly waitMs: number;
    };

/**
 * The wait before the next attempt: the provider's minimum or a jittered exponential back-off,
 * whichever is longer. A wait that would reach the age limit is never shortened to fit; then, and
 * when the attempts are used up, the budget is exhausted and somebody else decides.
 */
export const nextDelay = (question: DelayQuestion): NextDelay => {
  const { budget, attemptsMade, ageMs, retryAfterMs, fraction } = question;
  const step = budget.backoffBaseMs * 2 ** Math.max(0, attemptsMade - 1);
  const backoffMs = Math.floor(Math.min(budget.backoffCapMs, step) * fraction);
  const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
  if (attemptsMade >= budget.attemptsMax) return { kind: 'exhausted', reason: 'attempts', waitMs };
  if (ageMs + waitMs >= budget.ageMaxMs) return { kind: 'exhausted', reason: 'age', waitMs };
  return { kind: 'wait', waitMs };
};
