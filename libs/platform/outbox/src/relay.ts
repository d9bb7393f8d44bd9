import type { Db } from '@counterpart/platform-postgres';
import { metrics, silentLogger, type Logger } from '@counterpart/platform-telemetry';
import { ensureBuckets, leaseBuckets, releaseBuckets } from './bucket-leases.js';
import { OUTBOX_BUCKETS } from './buckets.js';
import { codeOf, isRefusedForGood, type OutboxProducer } from './outbox-message.js';
import { deleteRows, readOldest, type OutboxRow } from './outbox-table.js';
import { Signal } from './signal.js';
import { StoppedKeys } from './stopped-keys.js';

export interface RelayOptions {
  readonly db: Db;
  /** The schema that holds `outbox` and `outbox_owner`. */
  readonly schema: string;
  readonly producer: OutboxProducer;
  readonly clock: { monotonicMs(): number };
  /** Unique per process: the owner of the leases. */
  readonly instanceId: string;
  readonly buckets?: number;
  readonly log?: Logger;
  /** Rows in one send. */
  readonly batchMax?: number;
  readonly leaseMs?: number;
}

export interface OutboxRelay {
  /** Publishes until stopped. Returns at once; faults are waited out, logged and counted. */
  start(): void;
  /** Call after the commit that filled the outbox, to save the polling interval. */
  wake(): void;
  /** Finishes the batch in hand and gives the buckets back. */
  stop(): Promise<void>;
}

const BATCH_MAX = 500;
const LEASE_MS = 10_000;
/** Another process that fills my buckets cannot wake me. */
const POLL_MS = 50;
const BACK_OFF_MIN_MS = 50;
const BACK_OFF_MAX_MS = 2_000;

const published = metrics.counter('outbox_published_total', 'Messages acknowledged.', []);
const failures = metrics.counter('outbox_send_failures_total', 'Sends not acknowledged.', ['code']);

/**
 * Publishes the outbox: at least once, and first deliveries of one key in the order of their ids.
 *
 * - A batch is the oldest rows of the leased buckets. It is deleted after the broker acknowledged
 *   all of it; a crash in between publishes it again under the same message ids.
 * - A batch that was not acknowledged is sent again exactly as it was before anything later is
 *   read: part of it may be stored, and a later message must not come before the rest.
 * - A message the broker refuses for good stops its own key, at that message, and no other.
 */
export const createRelay = (options: RelayOptions): OutboxRelay => new Relay(options);

class Relay implements OutboxRelay {
  private readonly signal = new Signal();
  /** Raised once, by stop: a back-off must not be cut short by every commit. */
  private readonly stopSignal = new Signal();
  private readonly log: Logger;
  private readonly leaseMs: number;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();
  private held: ReadonlySet<number> = new Set();
  private heldUntilMs = -Infinity;
  private bucketsExist = false;
  /** Sent and not acknowledged: first in line. */
  private unacknowledged: readonly OutboxRow[] = [];
  /** Acknowledged and not yet deleted. */
  private acknowledged: readonly number[] = [];
  private readonly stopped = new StoppedKeys();
  private failuresInARow = 0;

  constructor(private readonly options: RelayOptions) {
    this.log = options.log ?? silentLogger;
    this.leaseMs = options.leaseMs ?? LEASE_MS;
  }

  start(): void {
    this.running = this.loop();
  }

  wake(): void {
    this.signal.raise();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.signal.raise();
    this.stopSignal.raise();
    await this.running;
    const { db, schema, instanceId } = this.options;
    await releaseBuckets(db, schema, instanceId).catch(() => undefined);
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      try {
        const pauseMs = await this.step();
        if (pauseMs > 0) await this.signal.wait(pauseMs);
      } catch (error) {
        await this.stopSignal.wait(this.backOffMs(error));
      }
    }
  }

  /** One round. Returns how long to wait before the next one. */
  private async step(): Promise<number> {
    await this.deleteAcknowledged();
    await this.renewLeases();
    const batch = await this.nextBatch();
    if (batch.length === 0) return POLL_MS;
    if (this.now() >= this.heldUntilMs) return 0;
    this.unacknowledged = batch;
    await this.publish(batch);
    this.failuresInARow = 0;
    return batch.length < this.batchMax ? POLL_MS : 0;
  }

  private async nextBatch(): Promise<readonly OutboxRow[]> {
    const again = this.unacknowledged.filter((row) => this.held.has(row.bucket));
    if (again.length > 0 || this.held.size === 0) return again;
    const { db, schema } = this.options;
    return readOldest(db, schema, [...this.held], this.stopped.keysAt(this.now()), this.batchMax);
  }

  private async publish(batch: readonly OutboxRow[]): Promise<void> {
    try {
      await this.options.producer.send(batch);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      return this.publishOneByOne(batch);
    }
    await this.settle(batch);
  }

  /** Finds the refused message, so that only its key has to wait for it. */
  private async publishOneByOne(batch: readonly OutboxRow[]): Promise<void> {
    for (const row of batch) {
      if (!this.stopped.has(row.key)) {
        try {
          await this.options.producer.send([row]);
        } catch (error) {
          if (!isRefusedForGood(error)) throw error;
          this.stopKey(row, codeOf(error));
        }
      }
      if (this.stopped.has(row.key))
        this.unacknowledged = this.unacknowledged.filter((r) => r !== row);
      else await this.settle([row]);
    }
  }

  private async settle(rows: readonly OutboxRow[]): Promise<void> {
    published.add({}, rows.length);
    const done = new Set(rows);
    this.unacknowledged = this.unacknowledged.filter((row) => !done.has(row));
    this.acknowledged = rows.map((row) => row.id);
    await this.deleteAcknowledged();
  }

  private async deleteAcknowledged(): Promise<void> {
    if (this.acknowledged.length === 0) return;
    await deleteRows(this.options.db, this.options.schema, this.acknowledged);
    this.acknowledged = [];
  }

  private stopKey(row: OutboxRow, code: string): void {
    this.stopped.stop(row.key, this.now());
    failures.add({ code });
    this.log.error(
      { topic: row.topic, code, bucket: row.bucket, messageId: row.headers['message-id'] },
      'the broker refuses a message for good; its key waits until the message is taken out',
    );
  }

  /** Asks for every bucket at a third of the lease, so that two renewals may fail. */
  private async renewLeases(): Promise<void> {
    const { db, schema, instanceId } = this.options;
    const buckets = this.options.buckets ?? OUTBOX_BUCKETS;
    const askedAtMs = this.now();
    if (this.held.size > 0 && askedAtMs < this.heldUntilMs - (this.leaseMs * 2) / 3) return;
    if (!this.bucketsExist) await ensureBuckets(db, schema, buckets);
    this.bucketsExist = true;
    const leases = await leaseBuckets(db, schema, instanceId, buckets, this.leaseMs);
    this.held = new Set(leases.map((lease) => lease.bucket));
    this.heldUntilMs = askedAtMs + this.leaseMs;
  }

  private backOffMs(error: unknown): number {
    this.failuresInARow += 1;
    const code = codeOf(error);
    failures.add({ code });
    this.log.warn({ code, count: this.failuresInARow, error }, 'the outbox has to wait');
    return Math.min(BACK_OFF_MAX_MS, BACK_OFF_MIN_MS * 2 ** Math.min(this.failuresInARow, 10));
  }

  private get batchMax(): number {
    return this.options.batchMax ?? BATCH_MAX;
  }

  private now(): number {
    return this.options.clock.monotonicMs();
  }
}
