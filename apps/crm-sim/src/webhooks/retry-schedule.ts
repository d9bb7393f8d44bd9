const MINUTE_MS = 60_000;

/** Ten redeliveries, about 24 hours in all. HubSpot publishes their number and span, not the steps. */
const WAITS_MS = [1, 2, 5, 10, 20, 45, 90, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);

/** Redeliveries after the first attempt. */
export const RETRIES_MAX = WAITS_MS.length;

/**
 * How long to wait before redelivery number `retry` (from 1), scaled. `jitter` is in [0, 1) and
 * moves the wait by up to half either way. Null when the event is given up.
 */
export function retryDelayMs(retry: number, timeFactor: number, jitter: number): number | null {
  const wait = WAITS_MS[retry - 1];
  return wait === undefined ? null : wait * timeFactor * (0.5 + jitter);
}
