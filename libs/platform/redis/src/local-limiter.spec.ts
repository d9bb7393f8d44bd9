import fc from 'fast-check';
import type { CallWindow } from './call-limiter.js';
import { createLocalLimiter } from './local-limiter.js';

/** The most calls in any half-open span of `ms`, tried at every grant. */
const mostWithin = (grantsMs: readonly number[], ms: number): number =>
  Math.max(
    0,
    ...grantsMs.map((from) => grantsMs.filter((at) => at >= from && at < from + ms).length),
  );

const windowsArb = fc.array(
  fc.record<CallWindow>({
    ms: fc.integer({ min: 1, max: 50 }),
    calls: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 1, maxLength: 3 },
);

test('no window is ever exceeded, wherever it begins, and the promised time is right', async () => {
  await fc.assert(
    fc.asyncProperty(
      windowsArb,
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 120 }),
      async (windows, gapsMs) => {
        let nowMs = 1_000;
        const limiter = createLocalLimiter({ nowMs: () => nowMs });
        const grants: number[] = [];
        let promisedMs = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          const answer = await limiter.take({ key: 'k', windows });
          if (answer.kind === 'ok') grants.push(nowMs);
          // Nobody else asks, so a call at the promised time is granted and none before it.
          expect(answer.kind).toBe(nowMs >= promisedMs ? answer.kind : 'wait');
          if (answer.kind === 'wait') promisedMs = answer.retryAtMs;
        }
        for (const { ms, calls } of windows) {
          expect(mostWithin(grants, ms)).toBeLessThanOrEqual(calls);
        }
      },
    ),
  );
});

test('a window is used to the full', async () => {
  let nowMs = 0;
  const limiter = createLocalLimiter({ nowMs: () => nowMs });
  let granted = 0;
  for (; nowMs < 10_000; nowMs += 1) {
    const answer = await limiter.take({ key: 'k', windows: [{ ms: 1_000, calls: 10 }] });
    if (answer.kind === 'ok') granted += 1;
  }
  expect(granted).toBe(100);
});

test('the reserve is never given out, but a window always lets one call through', async () => {
  const limiter = createLocalLimiter({ nowMs: () => 5 });
  const take = (key: string, calls: number, reserve: number) =>
    limiter.take({ key, windows: [{ ms: 1_000, calls }], reserve });
  const results = [];
  for (let i = 0; i < 10; i += 1) results.push((await take('a', 10, 0.2)).kind);
  expect(results.filter((kind) => kind === 'ok')).toHaveLength(8);
  expect((await take('b', 1, 0.9)).kind).toBe('ok');
  expect((await take('b', 1, 0.9)).kind).toBe('wait');
});

test('a refused call is counted nowhere', async () => {
  let nowMs = 0;
  const limiter = createLocalLimiter({ nowMs: () => nowMs });
  const windows = [
    { ms: 10, calls: 1 },
    { ms: 100, calls: 3 },
  ];
  for (let i = 0; i < 5; i += 1) await limiter.take({ key: 'k', windows });
  nowMs = 10;
  expect(await limiter.take({ key: 'k', windows })).toEqual({ kind: 'ok' });
  nowMs = 20;
  expect(await limiter.take({ key: 'k', windows })).toEqual({ kind: 'ok' });
  nowMs = 30;
  expect(await limiter.take({ key: 'k', windows })).toEqual({ kind: 'wait', retryAtMs: 100 });
});

test('a pause stops one key, is never shortened, and ends', async () => {
  let nowMs = 0;
  const limiter = createLocalLimiter({ nowMs: () => nowMs });
  const take = (key: string) => limiter.take({ key, windows: [{ ms: 10, calls: 100 }] });
  await limiter.pause('k', 3_000);
  await limiter.pause('k', 1_000);
  expect(await take('k')).toEqual({ kind: 'wait', retryAtMs: 3_000 });
  expect(await take('other')).toEqual({ kind: 'ok' });
  nowMs = 3_000;
  expect(await take('k')).toEqual({ kind: 'ok' });
});

test.each([
  { windows: [{ ms: 0, calls: 1 }] },
  { windows: [{ ms: 10, calls: 0 }] },
  { windows: [{ ms: 10, calls: 1_000_000 }] },
  { windows: [{ ms: 10, calls: 1 }], reserve: 1 },
])('a window that makes no sense is a fault: %j', (request) => {
  const limiter = createLocalLimiter({ nowMs: () => 0 });
  expect(() => limiter.take({ key: 'k', ...request })).toThrow(RangeError);
});
