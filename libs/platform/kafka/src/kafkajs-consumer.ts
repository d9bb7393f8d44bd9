import { silentLogger } from '@counterpart/platform-telemetry';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { requireSupportedBroker } from './broker-versions.js';
import { createHeldPartitions, type HeldPartitions } from './held-partitions.js';
import { consumerLag } from './kafka-metrics.js';
import { openClient, type Client, type ClientOptions } from './kafkajs-client.js';
import { traced } from './receive-span.js';
import {
  KafkaStartError,
  type BatchHandler,
  type ConsumerStatus,
  type StreamConsumer,
} from './stream-consumer.js';
import { toInbound } from './to-inbound.js';
import { TopicBatches, type FetchedPart, type Position } from './topic-batches.js';

export interface ConsumerOptions extends ClientOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Messages in one batch at most. Default 500. */
  readonly batchMax?: number;
  /** A process that dies without a word is missed after this time. Default 10 s. */
  readonly sessionTimeoutMs?: number;
  /** A member that is not back by then is left out of a rebalance. Default 20 s. */
  readonly rebalanceTimeoutMs?: number;
  /** Told once when the consumer ended for good. */
  readonly onCrash?: (error: Error) => void;
}

const batchMaxDefault = 500;
const sessionTimeoutMsDefault = 10_000;
const rebalanceTimeoutMsDefault = 20_000;
const heartbeatMs = 2_000;
/** As many as a fetch can bring partitions: each only waits for the handler call it is part of. */
const partitionsAtOnce = 64;

/**
 * The consumer over kafkajs 2.2.4, built around what that client gets wrong:
 *
 * - it heartbeats only between batches: an interval does it while a handler runs;
 * - a handler that throws stops every partition and may end the consumer: nothing is thrown into
 *   it, a failing partition is paused alone (see `topic-batches.ts`);
 * - it resolves whole batches by default, and commits offsets of partitions that it lost in a
 *   rebalance: offsets are committed by hand, and only under the generation they were read in;
 * - an offset out of range means "latest" unless the subscription is from the beginning;
 * - a crash leaves the process alive without a consumer: `onCrash` tells, `status` shows.
 */
export function createConsumer(options: ConsumerOptions): StreamConsumer {
  return new BatchConsumer(options);
}

class BatchConsumer implements StreamConsumer {
  private readonly client: Client;
  private readonly consumer: Consumer;
  private readonly held: HeldPartitions;
  private readonly topics = new Map<string, TopicBatches>();
  /** Grows with every rebalance; a batch of an older one commits nothing. */
  private generation = 0;
  private state = { connected: false, joined: false, crashed: false };
  private assigned: Record<string, readonly number[]> = {};
  private lastPollMs: number | null = null;
  private isClosing = false;

  constructor(private readonly options: ConsumerOptions) {
    this.client = openClient(options);
    this.consumer = this.client.kafka.consumer({
      groupId: options.groupId,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 250,
      minBytes: 1,
      sessionTimeout: options.sessionTimeoutMs ?? sessionTimeoutMsDefault,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: options.rebalanceTimeoutMs ?? rebalanceTimeoutMsDefault,
      retry: { retries: 10, initialRetryTime: 200, maxRetryTime: 2_000 },
    });
    this.held = createHeldPartitions(
      (topic, partition) => this.pause(topic, partition),
      (topic, partition) => this.resume(topic, partition),
    );
    this.watch();
  }

  async run(handler: BatchHandler): Promise<void> {
    await requireSupportedBroker(this.options.brokers);
    const handle = traced(this.options.groupId, handler);
    for (const topic of this.options.topics) this.topics.set(topic, this.batchesOf(topic, handle));
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topics: [...this.options.topics], fromBeginning: true });
      this.state.connected = true;
      await this.consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: partitionsAtOnce,
        eachBatch: (payload) => this.take(payload),
      });
    } catch (cause) {
      throw startError(this.options, cause);
    }
  }

  status(): ConsumerStatus {
    return {
      ...this.state,
      assigned: this.assigned,
      lastPollMs: this.lastPollMs,
      failingSinceMs: this.held.failingSinceMs(),
    };
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.consumer.stop();
    // kafkajs may have handed over something after its own stop.
    await Promise.all([...this.topics.values()].map((batches) => batches.idle()));
    this.state = { ...this.state, connected: false, joined: false };
    this.held.clear();
    await this.consumer.disconnect().catch(() => undefined);
    this.client.destroyConnections();
  }

  private watch(): void {
    const { consumer } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.generation += 1;
      this.state.joined = true;
      this.assigned = payload.memberAssignment;
      this.held.clear();
    });
    consumer.on(consumer.events.REBALANCING, () => {
      this.generation += 1;
      this.state.joined = false;
    });
    consumer.on(consumer.events.FETCH, () => {
      this.lastPollMs = Date.now();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      this.generation += 1;
      this.state.joined = false;
      if (payload.restart || this.isClosing) return;
      this.state = { connected: false, joined: false, crashed: true };
      // On a turn of its own: what it throws ends the process instead of vanishing in kafkajs.
      setImmediate(() => this.options.onCrash?.(payload.error));
    });
  }

  private batchesOf(topic: string, handle: BatchHandler): TopicBatches {
    const logger = this.options.logger ?? silentLogger;
    return new TopicBatches({
      handle,
      messagesMax: this.options.batchMax ?? batchMaxDefault,
      hold: (partition, error) => {
        this.held.hold(topic, partition);
        const fields = { topic, partition, groupId: this.options.groupId, error };
        logger.error(fields, 'A batch was not handled; it will come again');
      },
      release: (partition) => this.held.release(topic, partition),
    });
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    if (this.isClosing || !this.assigned[topic]?.includes(partition)) return;
    const lag = Number(payload.batch.offsetLag());
    consumerLag.set({ topic, partition, group: this.options.groupId }, lag);
    const beating = setInterval(() => {
      // A lost heartbeat shows as a rebalance; the generation then stops the commit.
      payload.heartbeat().catch(() => undefined);
    }, heartbeatMs);
    try {
      await this.topics.get(topic)?.take(this.partOf(payload));
    } finally {
      clearInterval(beating);
    }
  }

  private partOf(payload: EachBatchPayload): FetchedPart {
    const { topic, partition, messages } = payload.batch;
    const generation = this.generation;
    return {
      partition,
      messages: messages.map((message) => toInbound(topic, partition, message)),
      isOwned: () => generation === this.generation && !payload.isStale(),
      isWanted: () => payload.isRunning() && !this.isClosing,
      commit: (positions) =>
        payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: mutable(positions) }] }),
      advance: ({ offset }) => payload.resolveOffset((BigInt(offset) - 1n).toString()),
    };
  }

  private pause(topic: string, partition: number): void {
    if (this.state.joined) this.consumer.pause([{ topic, partitions: [partition] }]);
  }

  private resume(topic: string, partition: number): void {
    // While kafkajs joins again there is nothing to resume, and it would throw.
    if (this.state.joined) this.consumer.resume([{ topic, partitions: [partition] }]);
  }
}

const mutable = (positions: readonly Position[]): Position[] => [...positions];

function startError(options: ConsumerOptions, cause: unknown): KafkaStartError {
  const type: unknown = cause instanceof Error && 'type' in cause ? cause.type : undefined;
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') {
    const text = `a topic of ${options.topics.join(', ')} does not exist: run the provisioning first`;
    return new KafkaStartError('unknown-topic', text, cause);
  }
  const text = `no Kafka broker answers at ${options.brokers.join(', ')}`;
  return new KafkaStartError('broker-unreachable', text, cause);
}
