import { Controller, Inject } from '@nestjs/common';
import { TopicBatch, type InboundMessage } from '@counterpart/platform-kafka';
import {
  FOLLOW_DEAD_LETTERS,
  FOLLOW_REGISTRY,
  FOLLOW_RESULTS,
  FOLLOW_UNKNOWN_OPERATIONS,
  type BatchHandler,
} from './tokens.js';

/** Hands Kafka batches to the application; the offset is committed when the promise resolves. */
@Controller()
export class TopicsConsumer {
  constructor(
    @Inject(FOLLOW_UNKNOWN_OPERATIONS) private readonly followUnknown: BatchHandler,
    @Inject(FOLLOW_RESULTS) private readonly followResults: BatchHandler,
    @Inject(FOLLOW_DEAD_LETTERS) private readonly followDeadLetters: BatchHandler,
    @Inject(FOLLOW_REGISTRY) private readonly followRegistry: BatchHandler,
  ) {}

  @TopicBatch('counterpart.unknown-operations.v1')
  unknownOperations(batch: readonly InboundMessage[]): Promise<void> {
    return this.followUnknown(batch);
  }

  @TopicBatch('counterpart.sync-results.v1')
  results(batch: readonly InboundMessage[]): Promise<void> {
    return this.followResults(batch);
  }

  @TopicBatch('counterpart.dead-letters.v1')
  deadLetters(batch: readonly InboundMessage[]): Promise<void> {
    return this.followDeadLetters(batch);
  }

  @TopicBatch('counterpart.source-registry.v1')
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.followRegistry(batch);
  }
}
