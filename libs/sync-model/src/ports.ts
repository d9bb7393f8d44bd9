/**
 * What application code needs of the world. Production binds the machine's clock and random
 * source; the simulation binds seeded ones, so that one seed is one world.
 */
export interface Clock {
  /** Wall time, ms since the epoch. Never used to measure a span. */
  nowMs(): number;
  /** Never goes back; only differences mean anything. */
  monotonicMs(): number;
}

export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** 128 random bits, uuid form. */
  uuid(): string;
}
