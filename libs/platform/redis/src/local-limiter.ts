import type { Clock } from './clock.js';
import { enforcedWindows, type CallGrant, type CallLimiter } from './call-limiter.js';

/**
 * The same promise for one process, without Redis: what a service falls back to while Redis is
 * away. Several processes must each be given their share of the windows through `reserve`.
 */
export function createLocalLimiter(clock: Pick<Clock, 'nowMs'>, slackMs = 0): CallLimiter {
  const logs = new Map<string, number[]>();
  const pauses = new Map<string, number>();
  const logOf = (key: string, ms: number): number[] => {
    const name = `${key}/${ms}`;
    const log = logs.get(name) ?? [];
    logs.set(name, log);
    return log;
  };
  return {
    take(request): Promise<CallGrant> {
      const nowMs = clock.nowMs();
      const windows = enforcedWindows(request, slackMs);
      let retryAtMs = pauses.get(request.key) ?? 0;
      for (const { ms, calls } of windows) {
        const oldestMs = logOf(request.key, ms).at(-calls);
        if (oldestMs !== undefined) retryAtMs = Math.max(retryAtMs, oldestMs + ms);
      }
      if (retryAtMs > nowMs) return Promise.resolve({ kind: 'wait', retryAtMs });
      for (const { ms, calls } of windows) {
        const log = logOf(request.key, ms);
        log.push(nowMs);
        if (log.length > calls) log.splice(0, log.length - calls);
      }
      return Promise.resolve({ kind: 'ok' });
    },
    pause(key, untilMs) {
      pauses.set(key, Math.max(untilMs, pauses.get(key) ?? 0));
      return Promise.resolve({ kind: 'paused' });
    },
  };
}
