/* eslint-disable @typescript-eslint/no-require-imports -- the class has no public entry point */
/**
 * kafkajs 2.2.4 re-arms a timer for ever on every connection, as short as 1 ms, whether a request
 * waits or not: 3 % of a core for an idle producer. Here the timer is armed only while a request
 * waits or the broker throttles us.
 */
interface RequestQueue {
  throttledUntil: number;
  readonly pending: readonly unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

const pendingCheckMs = 10;

/** Applied once per process, before the first connection. */
export function quietTimers(): void {
  const queue = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  queue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    const throttledMs = this.throttledUntil - Date.now();
    if (this.throttleCheckTimeoutId || (throttledMs <= 0 && this.pending.length === 0)) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : pendingCheckMs,
    );
  };
}
