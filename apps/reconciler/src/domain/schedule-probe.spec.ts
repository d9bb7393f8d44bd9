import { scheduleProbe } from './schedule-probe.js';

const budget = { attemptsMax: 3, ageMaxMs: 60_000, backoffBaseMs: 1_000, backoffCapMs: 8_000 };
const at = (
  attempts: number,
  nowMs: number,
  code: string,
  retryAtMs: number | null,
  fraction = 0.5,
) =>
  scheduleProbe(
    { attempts, settleAtMs: 100_000 },
    { code, retryAtMs },
    { nowMs, fraction, budget },
  );

test.each([
  [
    'the first failure waits a jittered step',
    at(0, 100_000, 'connection-lost', null),
    { kind: 'again', dueAtMs: 100_500, counts: true },
  ],
  [
    'the second waits longer',
    at(1, 100_000, 'connection-lost', null),
    { kind: 'again', dueAtMs: 101_000, counts: true },
  ],
  [
    'what the provider asked for is a minimum',
    at(0, 100_000, 'rate-limit', 103_000),
    { kind: 'again', dueAtMs: 103_000, counts: true },
  ],
  [
    'a wait that is over is none',
    at(0, 100_000, 'rate-limit', 99_000),
    { kind: 'again', dueAtMs: 100_500, counts: true },
  ],
  [
    'attempts end',
    at(2, 100_000, 'connection-lost', null),
    { kind: 'give-up', code: 'connection-lost' },
  ],
  ['age ends', at(0, 159_999, 'credentials', null), { kind: 'give-up', code: 'credentials' }],
  [
    'a wait beyond the age ends it at once',
    at(0, 100_000, 'rate-limit', 200_000),
    { kind: 'give-up', code: 'rate-limit' },
  ],
  [
    'our own limit costs no attempt and no age',
    at(2, 500_000, 'quota', 500_100),
    { kind: 'again', dueAtMs: 501_000, counts: false },
  ],
  [
    'our own limit may ask for more',
    at(0, 100_000, 'quota', 109_000),
    { kind: 'again', dueAtMs: 109_000, counts: false },
  ],
])('%s', (_what, next, expected) => {
  expect(next).toEqual(expected);
});
