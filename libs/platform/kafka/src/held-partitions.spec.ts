import { createHeldPartitions } from './held-partitions.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const watched = () => {
  const calls: string[] = [];
  const held = createHeldPartitions(
    (topic, partition) => calls.push(`pause ${topic}/${String(partition)}`),
    (topic, partition) => calls.push(`resume ${topic}/${String(partition)}`),
  );
  return { calls, held };
};

test('a held partition is fetched again when its back-off is over', () => {
  const { calls, held } = watched();
  held.hold('t', 1);
  jest.advanceTimersByTime(99);
  expect(calls).toEqual(['pause t/1']);
  jest.advanceTimersByTime(1);
  expect(calls).toEqual(['pause t/1', 'resume t/1']);
});

test('one that works before its back-off is over is fetched again at once, not never', () => {
  const { calls, held } = watched();
  // An old batch fails while a newer one of the same partition is already here and succeeds.
  held.hold('t', 1);
  held.release('t', 1);
  expect(calls).toEqual(['pause t/1', 'resume t/1']);
  jest.runAllTimers();
  expect(calls).toHaveLength(2);
  expect(held.failingSinceMs()).toBeNull();
});

test('one that was never held is left alone', () => {
  const { calls, held } = watched();
  held.release('t', 1);
  expect(calls).toEqual([]);
});

test('a rebalance forgets all', () => {
  const { calls, held } = watched();
  held.hold('t', 1);
  held.clear();
  expect(calls).toEqual(['pause t/1', 'resume t/1']);
  expect(held.failingSinceMs()).toBeNull();
});
