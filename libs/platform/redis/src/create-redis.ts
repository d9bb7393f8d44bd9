import { claimMirrorOn, type ClaimMirror } from './claim-mirror.js';
import type { Clock } from './clock.js';
import type { CallLimiter } from './call-limiter.js';
import { attempt, isUnavailable, openConnection } from './redis-connection.js';
import { wakeUpsOn, type WakeUps } from './wake-ups.js';
import { windowLimiterOn } from './window-limiter.js';

export interface RedisOptions {
  readonly url: string;
  /** Shown in `client list`. */
  readonly name: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Put before every key. Default `counterpart:`. */
  readonly prefix?: string;
}

export interface RedisPort {
  readonly claimMirror: ClaimMirror;
  readonly wakeUps: WakeUps;
  readonly windowLimiter: CallLimiter;
  /** True when Redis answers within the deadline. For readiness pages; nothing waits for it. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

/** Connects in the background; every part works, as `unavailable`, from the first moment. */
export function createRedis(options: RedisOptions): RedisPort {
  const prefix = options.prefix ?? 'counterpart:';
  const commands = openConnection(options.url, options.name);
  // A connection that subscribes can do nothing else.
  const subscriber = openConnection(options.url, `${options.name}-wake`);
  return {
    claimMirror: claimMirrorOn(commands, prefix),
    wakeUps: wakeUpsOn(commands, subscriber, prefix),
    windowLimiter: windowLimiterOn(commands, prefix, options.clock),
    isAvailable: async () => !isUnavailable(await attempt(() => commands.ping())),
    close: () => {
      commands.disconnect();
      subscriber.disconnect();
      return Promise.resolve();
    },
  };
}
