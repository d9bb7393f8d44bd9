import { Controller, Inject } from '@nestjs/common';
import { TopicBatch, type InboundMessage } from '@counterpart/platform-kafka';
import { HANDLERS, type Handlers } from './tokens.js';

/** Hands Kafka batches to the application; the offset is committed when the promise resolves. */
@Controller()
export class TopicsConsumer {
  constructor(@Inject(HANDLERS) private readonly handlers: Handlers) {}

  @TopicBatch('counterpart.source-events.v1')
  events(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.events(batch);
  }

  @TopicBatch('counterpart.write-memory.v1')
  writes(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.writes(batch);
  }

  @TopicBatch('counterpart.sync-results.v1')
  results(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.results(batch);
  }

  @TopicBatch('counterpart.source-registry.v1')
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.handlers.registry(batch);
  }
}
