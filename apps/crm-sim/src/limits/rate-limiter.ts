import type { Answer } from '../answers/answer.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import { SlidingWindow } from './sliding-window.js';

type Limits = Behaviour['rateLimit'];
export type PolicyName = 'TEN_SECONDLY_ROLLING' | 'SECONDLY' | 'DAILY';

/** Counts a portal's calls in HubSpot's windows. Refused calls do not count. */
export class RateLimiter {
  private readonly tenSeconds = new SlidingWindow(10_000);
  private readonly second = new SlidingWindow(1_000);
  private readonly searchSecond = new SlidingWindow(1_000);
  private readonly day = new SlidingWindow(86_400_000);

  /** Books one call, or names the window that is full. */
  take(limits: Limits, isSearch: boolean, nowMs: number): PolicyName | null {
    const full = (window: SlidingWindow, max: number | null): boolean =>
      max !== null && window.count(nowMs) >= max;
    if (limits.perDay !== null && full(this.day, limits.perDay)) return 'DAILY';
    if (isSearch && full(this.searchSecond, limits.searchPerSecond)) return 'SECONDLY';
    if (full(this.second, limits.perSecond)) return 'SECONDLY';
    if (full(this.tenSeconds, limits.perTenSeconds)) return 'TEN_SECONDLY_ROLLING';
    if (limits.perDay !== null) this.day.add(nowMs);
    if (isSearch) this.searchSecond.add(nowMs);
    if (limits.perSecond !== null) this.second.add(nowMs);
    if (limits.perTenSeconds !== null) this.tenSeconds.add(nowMs);
    return null;
  }

  /** The headers of an ordinary answer. Search answers carry none, as with the real API. */
  headers(limits: Limits, isSearch: boolean, nowMs: number): Record<string, string> {
    if (isSearch || limits.perTenSeconds === null) return {};
    const remaining = Math.max(0, limits.perTenSeconds - this.tenSeconds.count(nowMs));
    return {
      'X-HubSpot-RateLimit-Max': String(limits.perTenSeconds),
      'X-HubSpot-RateLimit-Remaining': String(remaining),
      'X-HubSpot-RateLimit-Interval-Milliseconds': '10000',
      ...(limits.perDay !== null && {
        'X-HubSpot-RateLimit-Daily': String(limits.perDay),
        'X-HubSpot-RateLimit-Daily-Remaining': String(
          Math.max(0, limits.perDay - this.day.count(nowMs)),
        ),
      }),
    };
  }
}

const MESSAGES: Record<PolicyName, string> = {
  TEN_SECONDLY_ROLLING: 'You have reached your ten_secondly_rolling limit.',
  SECONDLY: 'You have reached your secondly limit.',
  DAILY: 'You have reached your daily limit.',
};

/** The 429 HubSpot answers. It has no Retry-After of its own; a fault may add one. */
export const rateLimited = (policyName: PolicyName, correlationId: string): Answer => ({
  status: 429,
  body: {
    status: 'error',
    message: MESSAGES[policyName],
    errorType: 'RATE_LIMIT',
    correlationId,
    policyName,
    category: 'RATE_LIMITS',
    requestId: correlationId,
  },
});
