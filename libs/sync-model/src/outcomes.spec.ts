import { isSettled, outcomes } from './outcomes.js';

test('every outcome is settled or owned by somebody, never both', () => {
  expect(outcomes.filter(isSettled)).toEqual([
    'applied',
    'reconciled',
    'no-op',
    'duplicate',
    'stale',
    'echo',
    'superseded',
  ]);
  expect(new Set(outcomes).size).toBe(outcomes.length);
});
