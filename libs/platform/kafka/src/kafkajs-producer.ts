import { spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import { CompressionTypes, Partitioners, type Producer, type TopicMessages } from 'kafkajs';
import { openClient, type Client, type ClientOptions } from './kafkajs-client.js';
import { messagesSent, sendsFailed } from './kafka-metrics.js';
import type { OutboundMessage } from './messages.js';
import { sendError, toSendError } from './send-error.js';
import { messageBytesMax, splitBySize, sizeOf } from './send-size.js';
import type { KafkaSendError, StreamProducer } from './stream-producer.js';

export interface ProducerOptions extends ClientOptions {
  /** A failed send is tried again on new connections for this long. Default 4 s. */
  readonly tryAgainForMs?: number;
}

interface Waiting {
  readonly messages: readonly OutboundMessage[];
  readonly resolve: () => void;
  readonly reject: (error: KafkaSendError) => void;
}

const messagesPerSend = 1_000;
const ackTimeoutMs = 4_000;
const timing = { requestTimeoutMs: 5_000, connectRetries: 1 };
const tryAgainForMsDefault = 4_000;
const tryAgainAfterMs = 100;
const closeMaxMs = 2_000;

/**
 * The producer over kafkajs 2.2.4, built around what that client gets wrong:
 *
 * - its idempotent mode gives a sequence number twice after a send that was given up, and the
 *   broker then acknowledges a new batch without storing it. So: not idempotent, one request in
 *   flight, and receivers drop repeats by message id, as they must anyway;
 * - after a socket closed without an error it goes on writing into it. So: after any failed send
 *   the client and its connections are thrown away.
 */
export function createProducer(options: ProducerOptions): StreamProducer {
  return new GroupingProducer(options);
}

class GroupingProducer implements StreamProducer {
  private waiting: Waiting[] = [];
  private connection: { readonly client: Client; readonly producer: Producer } | undefined;
  private flushing: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly options: ProducerOptions) {}

  send(messages: readonly OutboundMessage[]): Promise<void> {
    if (this.isClosed) return Promise.reject(sendError('closed', false));
    if (messages.length === 0) return Promise.resolve();
    if (messages.some((message) => sizeOf(message) > messageBytesMax)) {
      return Promise.reject(sendError('message-too-large', false));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ messages, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.flushing;
    const { connection } = this;
    this.connection = undefined;
    if (connection === undefined) return;
    await within(closeMaxMs, connection.producer.disconnect());
    connection.client.destroyConnections();
  }

  /** One request after another; what gathers during one travels in the next. */
  private async flush(): Promise<void> {
    // Calls made in the same turn of the event loop belong together.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.settle(this.takeGroup());
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

  private async settle(group: readonly Waiting[]): Promise<void> {
    try {
      await this.sendAll(group.flatMap(({ messages }) => messages));
      for (const { resolve } of group) resolve();
    } catch (cause) {
      const error = toSendError(cause);
      if (!error.retriable && group.length > 1) {
        // One of them is at fault, and only that one may fail.
        for (const one of group) await this.settle([one]);
        return;
      }
      // Nothing later may overtake what may still be stored, so what waits behind fails with it.
      const behind = error.retriable ? this.waiting.splice(0) : [];
      for (const { reject } of [...group, ...behind]) reject(error);
    }
  }

  private async sendAll(messages: readonly OutboundMessage[]): Promise<void> {
    for (const part of splitBySize(messages)) await this.sendPart(part);
  }

  /** Sends, and after a failure sends the same again before anything else. */
  private async sendPart(messages: readonly OutboundMessage[]): Promise<void> {
    const giveUpAtMs = performance.now() + (this.options.tryAgainForMs ?? tryAgainForMsDefault);
    for (;;) {
      try {
        return await this.sendOnce(messages);
      } catch (cause) {
        const error = toSendError(cause);
        sendsFailed.add({ code: error.code });
        this.throwAway();
        if (!error.retriable || this.isClosed || performance.now() >= giveUpAtMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, tryAgainAfterMs));
    }
  }

  private async sendOnce(messages: readonly OutboundMessage[]): Promise<void> {
    const attributes = {
      [spanAttributes.messagingSystem]: 'kafka',
      [spanAttributes.messagingOperation]: 'send',
      [spanAttributes.messagingBatchCount]: messages.length,
    };
    const links = messages.map(({ headers }) => headers['traceparent']);
    await withSpan('send', { kind: 'producer', root: true, attributes, links }, async () => {
      const producer = await this.connected();
      const topicMessages = byTopic(messages);
      await producer.sendBatch({
        acks: -1,
        timeout: ackTimeoutMs,
        compression: CompressionTypes.None,
        topicMessages,
      });
      for (const { topic, messages: sent } of topicMessages) {
        messagesSent.add({ topic }, sent.length);
      }
    });
  }

  private async connected(): Promise<Producer> {
    if (this.connection !== undefined) return this.connection.producer;
    const client = openClient(this.options, timing);
    const producer = client.kafka.producer({
      idempotent: false,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      // kafkajs would retry on the connection that failed; we retry on a new one.
      retry: { retries: 0 },
    });
    this.connection = { client, producer };
    await producer.connect();
    return producer;
  }

  /** It may be broken, so how it ends no longer matters. */
  private throwAway(): void {
    const { connection } = this;
    this.connection = undefined;
    connection?.producer.disconnect().catch(() => undefined);
    connection?.client.destroyConnections();
  }
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

/** Waits for the work at most so long; how it ends does not matter. */
async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work.catch(() => undefined), deadline]);
  clearTimeout(timer);
}
