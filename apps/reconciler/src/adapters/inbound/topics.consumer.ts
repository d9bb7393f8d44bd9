import { Controller, Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { InboundMessage } from '@counterpart/platform-kafka';
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

  @EventPattern('counterpart.unknown-operations.v1', { batch: true })
  unknownOperations(batch: readonly InboundMessage[]): Promise<void> {
    return this.followUnknown(batch);
  }

  @EventPattern('counterpart.sync-results.v1', { batch: true })
  results(batch: readonly InboundMessage[]): Promise<void> {
    return this.followResults(batch);
  }

  @EventPattern('counterpart.dead-letters.v1', { batch: true })
  deadLetters(batch: readonly InboundMessage[]): Promise<void> {
    return this.followDeadLetters(batch);
  }

  @EventPattern('counterpart.source-registry.v1', { batch: true })
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.followRegistry(batch);
  }
}
