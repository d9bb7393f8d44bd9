import { Controller, Inject } from '@nestjs/common';
import { TopicBatch, type InboundMessage } from '@counterpart/platform-kafka';
import { KEEP_OPERATIONS, KEEP_REGISTRY, type BatchHandler } from './tokens.js';

/** Hands Kafka batches to the application; the offset is committed when the promise resolves. */
@Controller()
export class SyncOperationsConsumer {
  constructor(
    @Inject(KEEP_OPERATIONS) private readonly keepOperations: BatchHandler,
    @Inject(KEEP_REGISTRY) private readonly keepRegistry: BatchHandler,
  ) {}

  @TopicBatch('counterpart.sync-operations.v1')
  operations(batch: readonly InboundMessage[]): Promise<void> {
    return this.keepOperations(batch);
  }

  @TopicBatch('counterpart.source-registry.v1')
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.keepRegistry(batch);
  }
}
