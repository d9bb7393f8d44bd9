/**
 * How many parts the outbox is cut into. One key always falls into one bucket and a bucket has one
 * publisher at a time, which is what keeps a key in order. Changing the number needs an empty
 * outbox.
 */
export const OUTBOX_BUCKETS = 16;

/** The bucket of a key, 0 to `buckets - 1`: FNV-1a over its UTF-16 units. */
export function bucketOf(key: string, buckets: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash % buckets;
}
