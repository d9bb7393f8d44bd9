import type { HttpAnswer } from '@counterpart/crm-port';

/** No documented wait is longer than a day (477, and the daily limit). Beyond that it is a mistake. */
const waitMaxMs = 86_400_000;

/** `Retry-After: 0` would mean a call at once, and again, and again. */
const waitMinMs = 1_000;

/**
 * The moment `Retry-After` names: seconds, or an HTTP date (taken against the answer's own `Date`,
 * so that a wrong clock on either side does not matter). Never shortened. Undefined when it is
 * missing or makes no sense: no number, negative, in the past, or more than a day ahead.
 */
export const retryAfterMs = (answer: HttpAnswer, nowMs: number): number | undefined => {
  const text = answer.headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : untilDateMs(text, answer, nowMs);
  if (waitMs === undefined || waitMs > waitMaxMs) return undefined;
  return nowMs + Math.max(waitMinMs, Math.ceil(waitMs));
};

const untilDateMs = (text: string, answer: HttpAnswer, nowMs: number): number | undefined => {
  const dateMs = httpDateMs(text);
  if (dateMs === undefined) return undefined;
  const waitMs = dateMs - (httpDateMs(answer.headers['date'] ?? '') ?? nowMs);
  return waitMs > 0 ? waitMs : undefined;
};

/** Only the form of RFC 9110; `Date.parse` alone also takes `-5` and `7 banana`. */
const httpDateMs = (text: string): number | undefined => {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
};
