/** Waits; only for the gaps between two looks at something. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Looks again until `look` gives something or the deadline has passed; undefined in the latter
 * case. Looks at least once.
 */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  deadlineAtMs: number,
  everyMs = 100,
): Promise<T | undefined> {
  for (;;) {
    const found = await look();
    if (found !== undefined || Date.now() >= deadlineAtMs) return found;
    await pause(Math.min(everyMs, Math.max(1, deadlineAtMs - Date.now())));
  }
}
