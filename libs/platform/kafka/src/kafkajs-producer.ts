import {
  CompressionTypes,
  Partitioners,
  type Kafka,
  type Producer,
  type TopicMessages,
} from 'kafkajs';
import { createClient, type ClientOptions } from './kafkajs-client.js';
import type { OutboundMessage } from './messages.js';
import { KafkaSendError, type KafkaSendCode, type StreamProducer } from './stream-producer.js';

interface Waiting {
  readonly messages: readonly OutboundMessage[];
  readonly resolve: () => void;
  readonly reject: (error: KafkaSendError) => void;
}

const messagesPerSend = 1_000;

/**
 * The producer over kafkajs 2.2.4, built around what that client gets wrong:
 *
 * - its idempotent mode gives a sequence number twice after a send that was given up, and the
 *   broker then acknowledges a new batch without storing it. So: not idempotent, one request in
 *   flight, and receivers drop repeats by message id, as they must anyway;
 * - after a socket closed without an error it goes on writing into it. So: after any failed send
 *   the client and its connections are thrown away.
 */
export function createProducer(options: ClientOptions): StreamProducer {
  return new GroupingProducer(options);
}

class GroupingProducer implements StreamProducer {
  private waiting: Waiting[] = [];
  private producer: Promise<Producer> | undefined;
  private flushing: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly options: ClientOptions) {}

  send(messages: readonly OutboundMessage[]): Promise<void> {
    if (this.isClosed)
      return Promise.reject(new KafkaSendError('closed', false, 'the producer is closed'));
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting.push({ messages, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.flushing;
    await this.discard();
  }

  /** One request after another; what gathers during one travels in the next. */
  private async flush(): Promise<void> {
    // Calls made in the same turn of the event loop belong together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      try {
        await this.sendNow(group.flatMap(({ messages }) => messages));
        for (const { resolve } of group) resolve();
      } catch (cause) {
        const error = toSendError(cause);
        // Nothing later may overtake what failed, so everything behind it fails with it.
        const behind = this.waiting;
        this.waiting = [];
        for (const { reject } of [...group, ...behind]) reject(error);
        await this.discard();
      }
    }
    this.flushing = undefined;
  }

  private takeGroup(): readonly Waiting[] {
    let size = 0;
    let count = 0;
    for (const { messages } of this.waiting) {
      if (count > 0 && size + messages.length > messagesPerSend) break;
      size += messages.length;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async sendNow(messages: readonly OutboundMessage[]): Promise<void> {
    this.producer ??= connect(createClient(this.options));
    const producer = await this.producer;
    await producer.sendBatch({
      acks: -1,
      timeout: 10_000,
      compression: CompressionTypes.None,
      topicMessages: byTopic(messages),
    });
  }

  private async discard(): Promise<void> {
    const old = this.producer;
    this.producer = undefined;
    // It is thrown away because it may be broken; how it ends no longer matters.
    await old?.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

async function connect(client: Kafka): Promise<Producer> {
  const producer = client.producer({
    idempotent: false,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    // A send that failed is the caller's to repeat: one owner of retries.
    retry: { retries: 1, initialRetryTime: 100 },
  });
  await producer.connect();
  return producer;
}

function byTopic(messages: readonly OutboundMessage[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, key, value, headers } of messages) {
    const group = topics.get(topic) ?? { topic, messages: [] };
    group.messages.push({ key, value, headers: { ...headers } });
    topics.set(topic, group);
  }
  return [...topics.values()];
}

/** Names of kafkajs errors and broker error types → our codes. */
const codes: readonly (readonly [RegExp, KafkaSendCode, boolean])[] = [
  [/UNKNOWN_TOPIC_OR_PARTITION|KafkaJSTopicMetadataNotLoaded/, 'unknown-topic', true],
  [/MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/, 'message-too-large', false],
  [/REQUEST_TIMED_OUT|RequestTimeoutError/, 'timed-out', true],
  [
    /KafkaJSConnection|BrokerNotFound|ConnectionClosed|KafkaJSNumberOfRetriesExceeded/,
    'broker-unreachable',
    true,
  ],
  [/INVALID|UNSUPPORTED|CORRUPT/, 'refused', false],
];

function toSendError(cause: unknown): KafkaSendError {
  if (cause instanceof KafkaSendError) return cause;
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const type = 'type' in error ? String(error.type) : '';
  const inner = error.cause instanceof Error ? error.cause.name : '';
  const text = `${type} ${error.name} ${inner}`;
  const known = codes.find(([pattern]) => pattern.test(text));
  const [, code, retriable] = known ?? [null, 'not-stored' as const, true];
  return new KafkaSendError(
    code,
    retriable,
    `the messages are not known to be stored (${code})`,
    cause,
  );
}
