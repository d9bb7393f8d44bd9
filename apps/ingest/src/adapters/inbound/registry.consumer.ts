import { Controller, Inject } from '@nestjs/common';
import { TopicBatch, type InboundMessage } from '@counterpart/platform-kafka';
import { KEEP_CLAIMS, KEEP_REGISTRY } from './tokens.js';

/** Keeps this service's copy of the sync plans up to date, and who receives for which instance. */
@Controller()
export class RegistryConsumer {
  constructor(
    @Inject(KEEP_REGISTRY)
    private readonly keep: (batch: readonly InboundMessage[]) => Promise<void>,
    @Inject(KEEP_CLAIMS)
    private readonly keepClaims: (tenantIds: ReadonlySet<string>) => Promise<void>,
  ) {}

  @TopicBatch('counterpart.source-registry.v1')
  async registry(batch: readonly InboundMessage[]): Promise<void> {
    await this.keep(batch);
    await this.keepClaims(new Set(batch.map(({ key }) => key)));
  }
}
