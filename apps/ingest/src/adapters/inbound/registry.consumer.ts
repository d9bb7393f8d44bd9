import { Controller, Inject } from '@nestjs/common';
import { TopicBatch, type InboundMessage } from '@counterpart/platform-kafka';
import { KEEP_REGISTRY } from './tokens.js';

/** Keeps this service's copy of the sync plans up to date. */
@Controller()
export class RegistryConsumer {
  constructor(
    @Inject(KEEP_REGISTRY)
    private readonly keep: (batch: readonly InboundMessage[]) => Promise<void>,
  ) {}

  @TopicBatch('counterpart.source-registry.v1')
  registry(batch: readonly InboundMessage[]): Promise<void> {
    return this.keep(batch);
  }
}
