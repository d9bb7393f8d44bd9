import type { Clock } from './clock.js';
import type { Redis } from 'ioredis';
import { enforcedWindows, type CallLimiter } from './call-limiter.js';
import { attempt, isUnavailable, unavailable } from './redis-connection.js';

/**
 * One limiter for all processes, by a log of grants per window: the list holds the times of the
 * last `calls` grants, so the window has room exactly when the oldest of them is `ms` old. That is
 * true for every window wherever it begins, which neither counters per fixed window nor token
 * buckets can say. Time is Redis's own; only spans cross the wire, so clocks need not agree.
 *
 * KEYS: pause, then one list per window. ARGV: ms and calls per window.
 * Answers 0 for a grant, else the ms to wait.
 */
const TAKE = `
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local wait = redis.call('pttl', KEYS[1])
if wait < 0 then wait = 0 end
for i = 2, #KEYS do
  local ms, calls = tonumber(ARGV[2 * i - 3]), tonumber(ARGV[2 * i - 2])
  local oldest = redis.call('lindex', KEYS[i], calls - 1)
  if oldest then
    local open = tonumber(oldest) + ms - now
    if open > wait then wait = open end
  end
end
if wait > 0 then return wait end
for i = 2, #KEYS do
  local ms, calls = tonumber(ARGV[2 * i - 3]), tonumber(ARGV[2 * i - 2])
  redis.call('lpush', KEYS[i], now)
  redis.call('ltrim', KEYS[i], 0, calls - 1)
  redis.call('pexpire', KEYS[i], ms)
end
return 0`;

/** Extends a pause, never shortens it. KEYS: pause. ARGV: ms. */
const PAUSE = `
local ms = tonumber(ARGV[1])
if redis.call('pttl', KEYS[1]) < ms then
  redis.call('set', KEYS[1], '1', 'PX', ms)
end
return 1`;

/** How far apart the travel times of two calls are assumed to be. */
const SLACK_MS = 50;

export function windowLimiterOn(
  client: Redis,
  prefix: string,
  clock: Pick<Clock, 'nowMs'>,
  slackMs = SLACK_MS,
): CallLimiter {
  // One hash tag, so that all keys of a source live on one node of a cluster.
  const keyOf = (key: string, part: string): string => `${prefix}calls:{${key}}:${part}`;
  return {
    async take(request) {
      const windows = enforcedWindows(request, slackMs);
      // The length is part of the name: two plans with other windows never share a list.
      const lists = windows.map((window) => keyOf(request.key, `${window.ms}`));
      const keys = [keyOf(request.key, 'pause'), ...lists];
      const args = windows.flatMap((window) => [window.ms, window.calls]);
      const waitMs = await attempt(() => client.eval(TAKE, keys.length, ...keys, ...args));
      if (typeof waitMs !== 'number') return unavailable;
      return waitMs === 0 ? { kind: 'ok' } : { kind: 'wait', retryAtMs: clock.nowMs() + waitMs };
    },
    async pause(key, untilMs) {
      const ms = Math.ceil(untilMs - clock.nowMs());
      if (ms <= 0) return { kind: 'paused' };
      const answer = await attempt(() => client.eval(PAUSE, 1, keyOf(key, 'pause'), ms));
      return isUnavailable(answer) ? answer : { kind: 'paused' };
    },
  };
}
