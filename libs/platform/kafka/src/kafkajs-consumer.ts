import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { createClient, type ClientOptions } from './kafkajs-client.js';
import type { InboundMessage } from './messages.js';
import {
  KafkaStartError,
  type BatchHandler,
  type ConsumerStatus,
  type StreamConsumer,
} from './stream-consumer.js';

export interface ConsumerOptions extends ClientOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Messages in one batch at most. */
  readonly batchMax?: number;
  /** Told once when the consumer ended for good. */
  readonly onCrash?: (error: Error) => void;
}

const batchMaxDefault = 500;
const heartbeatMs = 2_000;
const backOffMinMs = 100;
const backOffMaxMs = 5_000;

/**
 * The consumer over kafkajs 2.2.4, built around what that client gets wrong:
 *
 * - it heartbeats only between batches: an interval does it while a handler runs;
 * - a handler that throws stops every partition and may end the consumer: a failing batch is
 *   waited out here and fetched again, other partitions go on;
 * - it resolves whole batches by default, and commits offsets of partitions that it lost in a
 *   rebalance: offsets are committed by hand, and only under the generation they were read in;
 * - an offset out of range means "latest" unless the subscription is from the beginning;
 * - a crash leaves the process alive without a consumer: `onCrash` tells, `status` shows.
 */
export function createConsumer(options: ConsumerOptions): StreamConsumer {
  return new BatchConsumer(options);
}

class BatchConsumer implements StreamConsumer {
  private readonly consumer: Consumer;
  private readonly failures = new Map<
    string,
    { readonly sinceMs: number; readonly delayMs: number }
  >();
  /** Grows with every rebalance; a batch of an older one commits nothing. */
  private generation = 0;
  private state = { connected: false, joined: false, crashed: false };
  private assigned: Record<string, readonly number[]> = {};
  private lastPollMs: number | null = null;
  private isClosing = false;

  constructor(private readonly options: ConsumerOptions) {
    this.consumer = createClient(options).consumer({
      groupId: options.groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 100,
      minBytes: 1,
      sessionTimeout: 10_000,
      heartbeatInterval: 2_000,
      rebalanceTimeout: 20_000,
      retry: { retries: 10, initialRetryTime: 200, maxRetryTime: 5_000 },
    });
    this.watch();
  }

  async run(handler: BatchHandler): Promise<void> {
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
      this.state.connected = true;
      await this.consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 3,
        eachBatch: (payload) => this.handle(payload, handler),
      });
    } catch (cause) {
      const code =
        String((cause as { type?: unknown }).type) === 'UNKNOWN_TOPIC_OR_PARTITION'
          ? 'unknown-topic'
          : 'broker-unreachable';
      const advice =
        code === 'unknown-topic'
          ? `a topic of ${this.options.topics.join(', ')} does not exist: run the provisioning first`
          : `no Kafka broker answers at ${this.options.brokers.join(', ')}`;
      throw new KafkaStartError(code, advice, cause);
    }
  }

  status(): ConsumerStatus {
    const failing = [...this.failures.values()].map(({ sinceMs }) => sinceMs);
    return {
      ...this.state,
      assigned: this.assigned,
      lastPollMs: this.lastPollMs,
      failingSinceMs: failing.length === 0 ? null : Math.min(...failing),
    };
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.consumer.stop();
    await this.consumer.disconnect();
    this.state = { ...this.state, connected: false, joined: false };
  }

  private watch(): void {
    const { consumer } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.generation += 1;
      this.state.joined = true;
      this.assigned = payload.memberAssignment;
    });
    consumer.on(consumer.events.REBALANCING, () => {
      this.generation += 1;
      this.state.joined = false;
    });
    consumer.on(consumer.events.FETCH, () => {
      this.lastPollMs = Date.now();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (payload.restart || this.isClosing) return;
      this.state = { connected: false, joined: false, crashed: true };
      this.options.onCrash?.(payload.error);
    });
  }

  private async handle(payload: EachBatchPayload, handler: BatchHandler): Promise<void> {
    const { batch } = payload;
    const generation = this.generation;
    const place = `${batch.topic}/${batch.partition}`;
    const size = this.options.batchMax ?? batchMaxDefault;
    const beating = setInterval(() => {
      // A lost heartbeat shows as a rebalance; the generation then stops the commit.
      payload.heartbeat().catch(() => undefined);
    }, heartbeatMs);
    try {
      for (let at = 0; at < batch.messages.length; at += size) {
        if (!payload.isRunning() || payload.isStale() || generation !== this.generation) return;
        const slice = batch.messages.slice(at, at + size);
        await handler(slice.map((message) => toInbound(batch, message)));
        this.failures.delete(place);
        await this.commit(payload, slice, generation);
      }
    } catch {
      await this.waitOut(place);
    } finally {
      clearInterval(beating);
    }
  }

  private async commit(
    payload: EachBatchPayload,
    slice: readonly KafkaMessage[],
    generation: number,
  ): Promise<void> {
    const last = slice.at(-1);
    if (last === undefined || generation !== this.generation) return;
    payload.resolveOffset(last.offset);
    await this.consumer.commitOffsets([
      {
        topic: payload.batch.topic,
        partition: payload.batch.partition,
        offset: (BigInt(last.offset) + 1n).toString(),
      },
    ]);
  }

  /** Returning without resolving makes kafkajs fetch the batch again, at once: so wait first. */
  private async waitOut(place: string): Promise<void> {
    const known = this.failures.get(place);
    const delayMs = Math.min(backOffMaxMs, (known?.delayMs ?? backOffMinMs / 2) * 2);
    this.failures.set(place, { sinceMs: known?.sinceMs ?? Date.now(), delayMs });
    const untilMs = Date.now() + delayMs;
    while (!this.isClosing && Date.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, untilMs - Date.now())));
  }
}

function toInbound(
  batch: { readonly topic: string; readonly partition: number },
  message: KafkaMessage,
): InboundMessage {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) headers[name] = text.toString();
  }
  return {
    topic: batch.topic,
    partition: batch.partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers,
    timestampMs: Number(message.timestamp),
  };
}
