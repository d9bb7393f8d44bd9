import { Controller, Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { InboundMessage } from '@counterpart/platform-kafka';
import { HANDLERS, type Handlers } from './tokens.js';

/** Hands Kafka batches to the application; the offset is committed when the promise resolves. */
@Controller()
export class TopicsConsumer {
  constructor(@Inject(HANDLERS) private readonly handlers: Handlers) {}

  @EventPattern('counterpart.source-events.v1', { batch: true })
  events(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.events(batch);
  }

  @EventPattern('counterpart.write-memory.v1', { batch: true })
  writes(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.writes(batch);
  }

  @EventPattern('counterpart.sync-results.v1', { batch: true })
  results(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.results(batch);
  }

  @EventPattern('counterpart.source-registry.v1', { batch: true })
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.registry(batch);
  }
}
