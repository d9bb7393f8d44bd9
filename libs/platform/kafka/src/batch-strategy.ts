import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { createConsumer, type ConsumerOptions } from './kafkajs-consumer.js';
import type { InboundMessage } from './messages.js';
import type { ConsumerStatus, StreamConsumer } from './stream-consumer.js';

/**
 * Drives `@EventPattern(topic, { batch: true })` handlers with whole Kafka batches. The offset of a
 * batch is committed when its handler's promise resolves; a rejection brings the batch again.
 * Closed by Nest after the HTTP server stops taking work and before pools are closed.
 */
export class KafkaBatchStrategy extends Server implements CustomTransportStrategy {
  private consumer: StreamConsumer | undefined;

  constructor(private readonly options: Omit<ConsumerOptions, 'topics'>) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    const topics = [...this.messageHandlers.keys()];
    this.consumer = createConsumer({ ...this.options, topics });
    this.consumer.run((batch) => this.dispatch(batch)).then(() => callback(), callback);
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

  private async dispatch(batch: readonly InboundMessage[]): Promise<void> {
    const topic = batch[0]?.topic ?? '';
    const handler = this.getHandlerByPattern(topic);
    if (handler === null) throw new Error(`no handler for ${topic}`);
    const result: unknown = await handler(batch);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }
}
