import type { Redis } from 'ioredis';
import { attempt, isUnavailable, type Unavailable } from './redis-connection.js';

/**
 * The mirror of a durable claim. It keeps contenders from asking the database and is never proof:
 * `taken` says "worth asking the ledger", `busy` says "come back later", `unavailable` says "ask
 * the ledger as if there were no mirror". It may vanish at any time (flush, failover).
 */
export interface ClaimMirror {
  take(
    key: string,
    token: string,
    ttlMs: number,
  ): Promise<{ kind: 'taken' | 'busy' } | Unavailable>;
  /** Lets go only what this token holds, so an expired holder never frees its successor's claim. */
  release(key: string, token: string): Promise<{ kind: 'released' | 'not-mine' } | Unavailable>;
}

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0`;

export function claimMirrorOn(client: Redis, prefix: string): ClaimMirror {
  return {
    async take(key, token, ttlMs) {
      const answer = await attempt(() =>
        client.set(`${prefix}claim:${key}`, token, 'PX', Math.max(1, Math.ceil(ttlMs)), 'NX'),
      );
      if (isUnavailable(answer)) return answer;
      return { kind: answer === 'OK' ? 'taken' : 'busy' };
    },
    async release(key, token) {
      const answer = await attempt(() => client.eval(RELEASE, 1, `${prefix}claim:${key}`, token));
      if (isUnavailable(answer)) return answer;
      return { kind: answer === 1 ? 'released' : 'not-mine' };
    },
  };
}
