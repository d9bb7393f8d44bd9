export interface EventuallyOptions {
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Default 25 ms. */
  readonly intervalMs?: number;
}

/**
 * Calls `probe` until it stops throwing, and returns what it returned. After the deadline the last
 * throw is thrown. Put the assertion itself inside: nothing in a test sleeps and hopes.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? 10_000);
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() >= endsAtMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, options.intervalMs ?? 25));
  }
}
