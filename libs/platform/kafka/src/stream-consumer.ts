import type { InboundMessage } from './messages.js';

/**
 * Receives messages of one topic; those of one partition are in offset order, and no two calls for
 * a topic run at once. When it resolves, the offsets are committed. When it throws, the same
 * messages come again, at first partition by partition and then after a back-off, for as long as it
 * takes: throw only for broken infrastructure, never for a bad message. Keep it short, one
 * transaction; while it runs the consumer cannot take part in a rebalance.
 */
export type BatchHandler = (batch: readonly InboundMessage[]) => Promise<void>;

export interface ConsumerStatus {
  /** The client is started and not closed. */
  readonly connected: boolean;
  /** A member of its group with partitions handed out (which may be none). */
  readonly joined: boolean;
  /** Partitions owned now, by topic. */
  readonly assigned: Readonly<Record<string, readonly number[]>>;
  /** Wall time of the last answer to a fetch, ms since the epoch; null before the first. */
  readonly lastPollMs: number | null;
  /** The handler has been throwing since this wall time; null while it works. */
  readonly failingSinceMs: number | null;
  /** The consumer ended for good; the process must be started again. */
  readonly crashed: boolean;
}

export interface StreamConsumer {
  /**
   * Joins the group and delivers batches until `close`. Resolves once the consumer is started.
   * Rejects with `KafkaStartError` when the broker cannot be used.
   */
  run(handler: BatchHandler): Promise<void>;
  status(): ConsumerStatus;
  /**
   * Stops fetching, waits for handlers that run, leaves the group. A batch whose handler has not
   * resolved is delivered again to the next owner.
   */
  close(): Promise<void>;
}

/** The broker or its topics cannot be used as they are; the message says what to do. */
export class KafkaStartError extends Error {
  override readonly name = 'KafkaStartError';
  readonly code: 'broker-unreachable' | 'broker-too-new' | 'unknown-topic';

  constructor(code: KafkaStartError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
