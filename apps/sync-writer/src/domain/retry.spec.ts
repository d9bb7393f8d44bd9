import { decideRetry, headBudget, ownFaultBudget } from './retry.js';

const budget = { attemptsMax: 3, ageMaxMs: 900, backoffBaseMs: 100, backoffCapMs: 800 };
const world = { nowMs: 10_000, fraction: 0.25, budget };
const fresh = { attempts: 0, firstFailedAtMs: null };

test.each([
  [
    'the first back-off',
    fresh,
    { retryAtMs: null, counts: true },
    { kind: 'wait', dueAtMs: 10_025, counts: true },
  ],
  [
    'what the provider asked for is a minimum',
    fresh,
    { retryAtMs: 10_400, counts: true },
    { kind: 'wait', dueAtMs: 10_400, counts: true },
  ],
  [
    'a wait that would pass the age limit is never shortened to fit',
    { attempts: 1, firstFailedAtMs: 9_500 },
    { retryAtMs: 10_400, counts: true },
    { kind: 'exhausted', reason: 'budget-age:why' },
  ],
  [
    'the last attempt',
    { attempts: 2, firstFailedAtMs: 9_900 },
    { retryAtMs: null, counts: true },
    { kind: 'exhausted', reason: 'budget-attempts:why' },
  ],
  [
    'waiting for our own limiter costs no attempt, however often',
    { attempts: 2, firstFailedAtMs: 9_900 },
    { retryAtMs: 12_000, counts: false },
    { kind: 'wait', dueAtMs: 12_000, counts: false },
  ],
])('%s', (_name, item, defer, expected) => {
  expect(decideRetry(item, { ...defer, reason: 'why' }, world)).toEqual(expected);
});

test('an outage of a night parks nothing, a fault of our own does not go on for ever', () => {
  const night = { attempts: 700, firstFailedAtMs: 0 };
  const outage = { retryAtMs: null, counts: true, reason: 'connect-refused' };
  const at = { nowMs: 12 * 3_600_000, fraction: 0.5 };
  expect(decideRetry(night, outage, { ...at, budget: headBudget }).kind).toBe('wait');
  expect(
    decideRetry({ ...night, attempts: 4 }, outage, { ...at, budget: ownFaultBudget }).kind,
  ).toBe('exhausted');
});
