/** A fraction in [0, 1) at every call; the same seed gives the same row. */
export type Dice = () => number;

/** mulberry32: small, even enough to shuffle deliveries, and the same on every machine. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A new list in an order that the dice decide. */
export function shuffled<T>(items: readonly T[], dice: Dice): readonly T[] {
  const keyed = items.map((item) => ({ item, key: dice() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
