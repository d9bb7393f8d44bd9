import { bucketOf, OUTBOX_BUCKETS } from './buckets.js';

test('a key always falls into the same bucket', () => {
  // Written down, because a changed hash would let two relays publish one key at once.
  expect(
    ['', 'acme', 'acme\u001fcrm\u001fcontact\u001f1', 'ünïcode'].map((key) => bucketOf(key, 16)),
  ).toEqual([5, 15, 11, 5]);
});

test('keys spread over all buckets', () => {
  const counts = new Array<number>(OUTBOX_BUCKETS).fill(0);
  for (let i = 0; i < 16_000; i += 1) {
    const bucket = bucketOf(`acme\u001fcrm\u001fcontact\u001f${i}`, OUTBOX_BUCKETS);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(700);
  expect(Math.max(...counts)).toBeLessThan(1_300);
});
