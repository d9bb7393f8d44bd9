import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Codec } from '@counterpart/contracts';
import type { PlanStore, VersionedPlan } from '@counterpart/plan-store';
import type { KafkaBatchStrategy, StreamProducer } from '@counterpart/platform-kafka';
import type { Db } from '@counterpart/platform-postgres';
import type { Logger, Telemetry } from '@counterpart/platform-telemetry';
import { commonParts, parts } from '@counterpart/platform-topic-service';
import type { Clock } from '@counterpart/sync-model';
import { DeliveriesController } from './adapters/inbound/deliveries.controller.js';
import { FaultsFilter } from './adapters/inbound/faults.filter.js';
import { OperatorController } from './adapters/inbound/operator.controller.js';
import { RegistryConsumer } from './adapters/inbound/registry.consumer.js';
import { verifyStandardWebhook } from './adapters/inbound/standard-webhooks.js';
import {
  INGEST_PORTS,
  KEEP_REGISTRY,
  OPERATOR_READS,
  PUBLIC_URL,
} from './adapters/inbound/tokens.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import { createPublisher } from './adapters/outbound/publish-events.js';
import { createQuarantine } from './adapters/outbound/quarantine.js';
import { RefusalCounts } from './adapters/outbound/refusal-counts.js';
import { createSecrets } from './adapters/outbound/secrets.js';
import type { IngestPorts } from './application/ports.js';
import type { IngestConfig } from './config.js';
import { doorsOf, type Doors } from './domain/endpoints.js';
import { flow } from './flow.js';

const REFUSALS = Symbol('refusals');

const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class IngestModule {
  static with(
    config: IngestConfig,
    strategy: KafkaBatchStrategy,
    telemetry: Telemetry,
  ): DynamicModule {
    return {
      module: IngestModule,
      controllers: [DeliveriesController, OperatorController, RegistryConsumer],
      providers: [
        ...commonParts({
          service: flow.service,
          schema: 'ingest',
          hasOutbox: false,
          config,
          strategy,
          telemetry,
          closeFirst: { inject: [REFUSALS], close: (refusals: RefusalCounts) => refusals.close() },
        }),
        { provide: PUBLIC_URL, useValue: config.PUBLIC_URL },
        ...deliveries(config),
      ],
    };
  }
}

/** The doors are built again only when a plan has changed. */
const doorsFrom = (plans: PlanStore): (() => Promise<Doors>) => {
  let built: { readonly of: readonly VersionedPlan[]; readonly doors: Doors } | undefined;
  return async () => {
    const all = await plans.all();
    if (built?.of !== all) built = { of: all, doors: doorsOf(all.map(({ plan }) => plan)) };
    return built.doors;
  };
};

const deliveries = (config: IngestConfig): Provider[] => [
  {
    provide: REFUSALS,
    inject: [parts.db, parts.log],
    useFactory: (db: Db, log: Logger) => new RefusalCounts(db, log),
  },
  {
    provide: INGEST_PORTS,
    inject: [parts.db, parts.codec, parts.producer, parts.plans, REFUSALS],
    useFactory: (
      db: Db,
      codec: Codec,
      producer: StreamProducer,
      plans: PlanStore,
      refusals: RefusalCounts,
    ): IngestPorts => ({
      clock,
      doors: doorsFrom(plans),
      secrets: createSecrets(config.SECRETS_DIR, clock.nowMs),
      verifyApp: verifyStandardWebhook,
      publish: createPublisher(codec, producer),
      refused: (refused) => refusals.add(refused),
      quarantine: createQuarantine(db),
    }),
  },
  { provide: KEEP_REGISTRY, useExisting: parts.keepRegistry },
  { provide: OPERATOR_READS, inject: [parts.db], useFactory: createOperatorReads },
  {
    provide: APP_FILTER,
    inject: [parts.log],
    useFactory: (log: Logger) => new FaultsFilter(log),
  },
];
