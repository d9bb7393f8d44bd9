import { randomBytes } from 'node:crypto';
import { eventually, tcpProxy, testEnv, type TcpProxy } from '@counterpart/testing';
import { Redis } from 'ioredis';
import { createRedis, type RedisPort } from './create-redis.js';
import { windowLimiterOn } from './window-limiter.js';

const clock = { nowMs: () => Date.now() };
const prefix = `test-${randomBytes(4).toString('hex')}:`;
const { redisUrl } = testEnv();
const open: RedisPort[] = [];
const port = (url = redisUrl): RedisPort => {
  const redis = createRedis({ url, name: 'test', clock, prefix });
  open.push(redis);
  return redis;
};
const available = (redis: RedisPort): Promise<void> =>
  eventually(async () => expect(await redis.isAvailable()).toBe(true));

let redis: RedisPort;
beforeAll(async () => {
  redis = port();
  await available(redis);
});
afterAll(() => Promise.all(open.map((one) => one.close())));

describe('claim mirror', () => {
  test('one of many takes it; only its token lets go', async () => {
    const { claimMirror } = redis;
    const takes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => claimMirror.take('c1', `token-${i}`, 10_000)),
    );
    const winners = takes.flatMap((answer, i) => (answer.kind === 'taken' ? [i] : []));
    expect(winners).toHaveLength(1);
    const winner = `token-${winners[0]}`;
    expect(await claimMirror.release('c1', 'token-x')).toEqual({ kind: 'not-mine' });
    expect(await claimMirror.take('c1', 'later', 10_000)).toEqual({ kind: 'busy' });
    expect(await claimMirror.release('c1', winner)).toEqual({ kind: 'released' });
    expect(await claimMirror.take('c1', 'later', 10_000)).toEqual({ kind: 'taken' });
  });

  test('an expired holder frees nothing of its successor', async () => {
    const { claimMirror } = redis;
    await claimMirror.take('c2', 'old', 20);
    await eventually(async () =>
      expect(await claimMirror.take('c2', 'new', 10_000)).toEqual({ kind: 'taken' }),
    );
    expect(await claimMirror.release('c2', 'old')).toEqual({ kind: 'not-mine' });
    expect(await claimMirror.take('c2', 'third', 10_000)).toEqual({ kind: 'busy' });
  });
});

describe('wake-ups', () => {
  test('reach every listener until it stops listening', async () => {
    const heard: string[] = [];
    const stopA = redis.wakeUps.subscribe('lane', () => {
      throw new Error('a bad listener');
    });
    const stopB = redis.wakeUps.subscribe('lane', (message) => heard.push(message));
    const other = port();
    await eventually(async () => {
      await other.wakeUps.publish('lane', 'a');
      expect(heard).toContain('a');
    });
    await other.wakeUps.publish('elsewhere', 'x');
    stopB();
    stopA();
    const before = heard.length;
    await other.wakeUps.publish('lane', 'late');
    await redis.isAvailable();
    expect(heard).toHaveLength(before);
    expect(heard).not.toContain('x');
  });
});

describe('window limiter', () => {
  test('many processes together never exceed any window', async () => {
    const windows = [
      { ms: 200, calls: 12 },
      { ms: 1_000, calls: 40 },
    ];
    const askers = Array.from({ length: 4 }, () => {
      const client = new Redis(redisUrl);
      return { client, limiter: windowLimiterOn(client, prefix, clock, 0) };
    });
    const grantsMs: number[] = [];
    const endsAtMs = Date.now() + 2_500;
    await Promise.all(
      askers.map(async ({ limiter }) => {
        while (Date.now() < endsAtMs) {
          const answer = await limiter.take({ key: 'w', windows });
          // Redis's own clock decided; ours is read after it and so at most a little later.
          if (answer.kind === 'ok') grantsMs.push(Date.now());
        }
      }),
    );
    // The exact times of the grants are in Redis: the longest log holds the last 40 of them.
    const log = await askers[0]?.client.lrange(`${prefix}calls:{w}:1000`, 0, -1);
    const last = (log ?? []).map(Number).toSorted((a, b) => a - b);
    for (const { ms, calls } of windows) {
      for (const from of last) {
        expect(last.filter((at) => at >= from && at < from + ms).length).toBeLessThanOrEqual(calls);
      }
    }
    // Full use: 40 in each of two whole seconds, and what the third one began.
    expect(grantsMs.length).toBeGreaterThanOrEqual(80);
    expect(grantsMs.length).toBeLessThanOrEqual(120);
    await Promise.all(askers.map(({ client }) => client.quit()));
  });

  test('a pause holds for all, and the longest counts', async () => {
    const other = port();
    await available(other);
    const untilMs = Date.now() + 60_000;
    await redis.windowLimiter.pause('p', untilMs);
    await other.windowLimiter.pause('p', Date.now() + 1_000);
    const request = { key: 'p', windows: [{ ms: 100, calls: 10 }] };
    const answer = await other.windowLimiter.take(request);
    expect(answer.kind).toBe('wait');
    expect(answer.kind === 'wait' && Math.abs(answer.retryAtMs - untilMs)).toBeLessThan(200);
    expect(await other.windowLimiter.take({ ...request, key: 'q' })).toEqual({ kind: 'ok' });
  });
});

describe('without Redis', () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    const { hostname, port: at } = new URL(redisUrl);
    proxy = await tcpProxy(hostname, Number(at));
  });
  afterEach(() => proxy.close());
  const everything = async (one: RedisPort): Promise<string[]> => {
    const answers = await Promise.all([
      one.claimMirror.take('u', 't', 1_000),
      one.claimMirror.release('u', 't'),
      one.wakeUps.publish('c', 'm'),
      one.windowLimiter.take({ key: 'u', windows: [{ ms: 100, calls: 1 }] }),
      one.windowLimiter.pause('u', Date.now() + 1_000),
    ]);
    return answers.map((answer) => answer.kind);
  };
  const none = Array.from({ length: 5 }, () => 'unavailable');

  test('nobody listening: every answer is a value, at once', async () => {
    const startedAtMs = performance.now();
    expect(await everything(port('redis://127.0.0.1:1'))).toEqual(none);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  test('a server that stops answering: each within its deadline', async () => {
    const one = port(proxy.urlFor(redisUrl));
    await available(one);
    proxy.hold();
    const startedAtMs = performance.now();
    expect(await everything(one)).toEqual(none);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  test('a Redis that comes back is used again, wake-ups included', async () => {
    const one = port(proxy.urlFor(redisUrl));
    const heard: string[] = [];
    one.wakeUps.subscribe('lane', (message) => heard.push(message));
    await available(one);
    proxy.refuse();
    await eventually(async () => expect(await everything(one)).toEqual(none));
    proxy.restore();
    await available(one);
    await eventually(async () => {
      await one.wakeUps.publish('lane', 'again');
      expect(heard).toContain('again');
    });
  });

  test('an answer lost after the command ran is unavailable, not a guess', async () => {
    const one = port(proxy.urlFor(redisUrl));
    await available(one);
    proxy.loseAnswers();
    expect(await one.claimMirror.take('lost', 'mine', 10_000)).toEqual({ kind: 'unavailable' });
    expect(await redis.claimMirror.take('lost', 'other', 10_000)).toEqual({ kind: 'busy' });
  });
});
