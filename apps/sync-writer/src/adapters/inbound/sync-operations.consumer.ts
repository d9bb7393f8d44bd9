import { Controller, Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { InboundMessage } from '@counterpart/platform-kafka';
import { KEEP_OPERATIONS, KEEP_REGISTRY, type BatchHandler } from './tokens.js';

/** Hands Kafka batches to the application; the offset is committed when the promise resolves. */
@Controller()
export class SyncOperationsConsumer {
  constructor(
    @Inject(KEEP_OPERATIONS) private readonly keepOperations: BatchHandler,
    @Inject(KEEP_REGISTRY) private readonly keepRegistry: BatchHandler,
  ) {}

  @EventPattern('counterpart.sync-operations.v1', { batch: true })
  operations(batch: readonly InboundMessage[]): Promise<void> {
    return this.keepOperations(batch);
  }

  @EventPattern('counterpart.source-registry.v1', { batch: true })
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.keepRegistry(batch);
  }
}
