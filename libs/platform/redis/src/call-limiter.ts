import type { Unavailable } from './redis-connection.js';

/** At most `calls` in any span of `ms`, wherever the span begins. */
export interface CallWindow {
  readonly ms: number;
  readonly calls: number;
}

export interface CallRequest {
  /** What is limited: one source's budget, e.g. `acme/crm/call`. */
  readonly key: string;
  /** All must have room; a call that is refused by one is counted by none. */
  readonly windows: readonly CallWindow[];
  /** Part of every window that is never given out, 0 to below 1. Default 0. */
  readonly reserve?: number;
}

export type CallGrant =
  { readonly kind: 'ok' } | { readonly kind: 'wait'; readonly retryAtMs: number };

export interface CallLimiter {
  /** Grants one call now, or says when to ask again. A grant cannot be given back. */
  take(request: CallRequest): Promise<CallGrant | Unavailable>;
  /** Nothing is granted for `key` before `untilMs`. A shorter pause never shortens a longer one. */
  pause(key: string, untilMs: number): Promise<{ kind: 'paused' } | Unavailable>;
}

/** One entry of memory per call of the longest window is the price of exactness. */
export const CALLS_PER_WINDOW_MAX = 100_000;

/**
 * The windows as they are enforced: without the reserve, and `slackMs` longer, because two calls
 * granted a window apart may reach the provider closer together than that.
 */
export function enforcedWindows(request: CallRequest, slackMs: number): readonly CallWindow[] {
  const share = 1 - (request.reserve ?? 0);
  return request.windows.map((window) => {
    const calls = Math.max(1, Math.floor(window.calls * share));
    if (!(share > 0) || !(window.ms > 0) || !(window.calls >= 1) || calls > CALLS_PER_WINDOW_MAX) {
      throw new RangeError(`a call window needs ms > 0 and 1 to ${CALLS_PER_WINDOW_MAX} calls`);
    }
    return { ms: window.ms + slackMs, calls };
  });
}
