/** A seeded source of chance: same seed, same draws. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** Whole number, both ends included. */
  between(min: number, max: number): number;
  /** A new array in random order (Fisher–Yates). */
  shuffled<T>(items: readonly T[]): T[];
}

/** FNV-1a: spreads a text over 32 bits, so that `seed/latency` and `seed/webhooks` are unrelated. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Seeded random source (mulberry32). Every concern of a portal gets its own, so that a retried
 * webhook does not change the latency of the next call.
 */
export function seededRandom(seed: string): Random {
  let state = hash32(seed);
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number): number =>
    min + Math.floor(fraction() * (max - min + 1));
  const shuffled = <T>(items: readonly T[]): T[] => {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = between(0, i);
      const [moved] = result.splice(j, 1);
      if (moved !== undefined) result.splice(i, 0, moved);
    }
    return result;
  };
  return { fraction, between, shuffled };
}
