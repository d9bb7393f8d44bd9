import { createLogger } from '@counterpart/platform-telemetry';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { createConsumer, type ConsumerOptions } from './kafkajs-consumer.js';
import type { InboundMessage } from './messages.js';
import type { ConsumerStatus, StreamConsumer } from './stream-consumer.js';

export interface BatchStrategyOptions extends Omit<ConsumerOptions, 'topics'> {
  /** For specs that run without a broker. */
  readonly createConsumer?: (options: ConsumerOptions) => StreamConsumer;
}

/**
 * Drives handlers marked `@TopicBatch(topic)`, or `@EventPattern(topic, { batch: true })`, with
 * whole Kafka batches. The offsets of a batch are committed when its handler's promise resolves; a
 * rejection brings the batch again.
 *
 * On shutdown Nest calls `onModuleDestroy`, then `beforeApplicationShutdown`, then `close` here,
 * then `onApplicationShutdown`. So pools, producers and tracing are closed in
 * `onApplicationShutdown` and no earlier: until `close` has resolved, handlers use them.
 */
export class KafkaBatchStrategy extends Server implements CustomTransportStrategy {
  private consumer: StreamConsumer | undefined;

  constructor(private readonly options: BatchStrategyOptions) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    await this.consumer?.close();
  }

  /** For readiness: null before `listen`. */
  consumerStatus(): ConsumerStatus | null {
    return this.consumer?.status() ?? null;
  }

  on(): void {
    // Nest's event API of transports; this one has no events of its own.
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private async start(): Promise<void> {
    const topics = [...this.messageHandlers.keys()];
    for (const [topic, handler] of this.messageHandlers) refuseSingle(topic, handler);
    const create = this.options.createConsumer ?? createConsumer;
    const logger = this.options.logger ?? createLogger(this.options.clientId);
    this.consumer = create({ ...this.options, logger, topics });
    await this.consumer.run((batch) => this.dispatch(batch));
  }

  private async dispatch(batch: readonly InboundMessage[]): Promise<void> {
    const topic = batch[0]?.topic ?? '';
    const first = this.getHandlerByPattern(topic);
    if (first === null) throw new Error(`no handler for ${topic}`);
    // Nest chains several handlers of one event; each must have the batch before it is committed.
    for (let handler: MessageHandler | undefined = first; handler; handler = handler.next) {
      const result: unknown = await handler(batch);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    }
  }
}

function refuseSingle(topic: string, handler: MessageHandler): void {
  if (handler.isEventHandler !== true || handler.extras?.['batch'] !== true) {
    throw new Error(
      `The handler of ${topic} is not marked for batches: use @TopicBatch('${topic}'). ` +
        'Messages are handed over in batches only.',
    );
  }
}
