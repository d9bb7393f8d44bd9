import type { HttpAnswer } from '@counterpart/crm-port';

/**
 * What the rate headers ask of us after an answer that went through: nothing, or silence until a
 * moment. The window rolls, so the last call of it may count for its whole length. Search answers
 * and OAuth apps lack some of the headers; a header that is missing says nothing.
 */
export const quotaPause = (
  { headers }: HttpAnswer,
  nowMs: number,
): { readonly untilMs: number; readonly reason: string } | null => {
  if (isSpent(headers['x-hubspot-ratelimit-daily-remaining'])) {
    return { untilMs: nowMs + dayMs - (nowMs % dayMs), reason: 'limit-daily' };
  }
  const intervalMs = Number(headers['x-hubspot-ratelimit-interval-milliseconds']);
  const isInterval = intervalMs > 0 && intervalMs <= intervalMaxMs;
  return isInterval && isSpent(headers['x-hubspot-ratelimit-remaining'])
    ? { untilMs: nowMs + intervalMs, reason: 'limit-window' }
    : null;
};

const dayMs = 86_400_000;
/** HubSpot's windows are 1 s and 10 s; a header that claims more than a minute is not believed. */
const intervalMaxMs = 60_000;

const isSpent = (remaining: string | undefined): boolean =>
  remaining !== undefined && /^-?\d+$/.test(remaining) && Number(remaining) <= 0;
