import * as fc from 'fast-check';
import { nextDelay, type RetryBudget } from './next-delay.js';
import { compareRevision } from './revision.js';

const budget: RetryBudget = {
  attemptsMax: 3,
  ageMaxMs: 900,
  backoffBaseMs: 100,
  backoffCapMs: 800,
};
const ask = (attemptsMade: number, ageMs: number, retryAfterMs: number | null, fraction: number) =>
  nextDelay({ budget, attemptsMade, ageMs, retryAfterMs, fraction });

describe('the golden waits', () => {
  test.each([
    ['throttled: the minimum of the provider', ask(1, 0, 400, 0.25), { kind: 'wait', waitMs: 400 }],
    ['then back-off', ask(2, 400, null, 0.75), { kind: 'wait', waitMs: 150 }],
    ['plain back-off', ask(1, 0, null, 0.25), { kind: 'wait', waitMs: 25 }],
    [
      'attempts used up',
      ask(3, 175, null, 0.5),
      { kind: 'exhausted', reason: 'attempts', waitMs: 200 },
    ],
    ['never shortened', ask(1, 0, 1000, 0.25), { kind: 'exhausted', reason: 'age', waitMs: 1000 }],
    ['exactly the limit', ask(1, 500, 400, 0), { kind: 'exhausted', reason: 'age', waitMs: 400 }],
  ])('%s', (_name, actual, expected) => expect(actual).toEqual(expected));
});

test('a wait is never under Retry-After, never over the cap without it, never past the age', () => {
  fc.assert(
    fc.property(
      fc.record({
        attemptsMade: fc.integer({ min: 1, max: 2000 }),
        ageMs: fc.nat(5000),
        retryAfterMs: fc.option(fc.nat(5000)),
        fraction: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      }),
      (question) => {
        const roomy = { ...budget, attemptsMax: 1000, ageMaxMs: 4000 };
        const delay = nextDelay({ budget: roomy, ...question });
        expect(delay.waitMs).toBeGreaterThanOrEqual(question.retryAfterMs ?? 0);
        expect(delay.waitMs).toBeLessThanOrEqual(Math.max(question.retryAfterMs ?? 0, 800));
        if (delay.kind === 'wait') expect(question.ageMs + delay.waitMs).toBeLessThan(4000);
      },
    ),
  );
});

describe('compareRevision', () => {
  test.each([
    ['2', '10', -1],
    ['007', '7', 0],
    ['9007199254740993', '9007199254740992', 1],
    ['1', null, null],
    ['1', 'W/"x"', null],
    [undefined, undefined, null],
  ] as const)('%s and %s', (a, b, expected) => expect(compareRevision(a, b)).toBe(expected));
});
