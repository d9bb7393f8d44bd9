import { metrics } from '@counterpart/platform-telemetry';

/** A key whose message the broker refuses for good is tried again, and logged, this often. */
const RETRY_MS = 30_000;

const gauge = metrics.gauge('outbox_stopped_keys', 'Keys stopped at a refused message.', []);

/** Keys that wait behind a message the broker will not take. Times are monotonic. */
export class StoppedKeys {
  private readonly retryAtMs = new Map<string, number>();

  stop(key: string, nowMs: number): void {
    this.retryAtMs.set(key, nowMs + RETRY_MS);
    gauge.set({}, this.retryAtMs.size);
  }

  has(key: string): boolean {
    return this.retryAtMs.has(key);
  }

  /** The keys that are left out now; those whose time has come are let in again. */
  keysAt(nowMs: number): readonly string[] {
    for (const [key, retryAtMs] of this.retryAtMs) {
      if (retryAtMs <= nowMs) this.retryAtMs.delete(key);
    }
    gauge.set({}, this.retryAtMs.size);
    return [...this.retryAtMs.keys()];
  }
}
