import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Codec } from '@counterpart/contracts';
import { inboundFor } from '@counterpart/crm-registry';
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
  KEEP_CLAIMS,
  KEEP_REGISTRY,
  OPERATOR_READS,
  PUBLIC_URL,
} from './adapters/inbound/tokens.js';
import { createClaimStore } from './adapters/outbound/endpoint-claims.js';
import { createSlices } from './adapters/outbound/ingest-slices.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import { createPublisher } from './adapters/outbound/publish-events.js';
import { createQuarantine } from './adapters/outbound/quarantine.js';
import { RefusalCounts } from './adapters/outbound/refusal-counts.js';
import { createSecrets } from './adapters/outbound/secrets.js';
import { createDoors } from './application/doors-of-plans.js';
import { keepEndpointClaims } from './application/keep-endpoint-claims.js';
import type { IngestPorts } from './application/ports.js';
import type { IngestConfig } from './config.js';
import type { PlaceOf } from './domain/endpoints.js';
import { flow } from './flow.js';

const REFUSALS = Symbol('refusals');
const SLICES = Symbol('slices');
type Slices = ReturnType<typeof createSlices>;

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

const placeOf: PlaceOf = (provider, settings) =>
  inboundFor(provider)?.placeOf(settings) ?? { instanceId: '', ownMarker: '' };

const deliveries = (config: IngestConfig): Provider[] => [
  { provide: SLICES, inject: [parts.plans], useFactory: createSlices },
  {
    provide: REFUSALS,
    inject: [parts.db, parts.log],
    useFactory: (db: Db, log: Logger) => new RefusalCounts(db, log),
  },
  {
    provide: INGEST_PORTS,
    inject: [parts.db, parts.codec, parts.producer, SLICES, REFUSALS, parts.log],
    useFactory: (
      db: Db,
      codec: Codec,
      producer: StreamProducer,
      slices: Slices,
      refusals: RefusalCounts,
      log: Logger,
    ): IngestPorts => ({
      clock,
      doors: createDoors({ slices, claims: createClaimStore(db), placeOf }),
      secrets: createSecrets({
        secretsDir: config.SECRETS_DIR,
        nowMs: clock.nowMs,
        onUnreadable: (code, detail) => log.warn({ code, detail }, 'a secret cannot be read'),
      }),
      verifyApp: verifyStandardWebhook,
      publish: createPublisher(codec, producer),
      refused: (refused) => refusals.add(refused),
      quarantine: createQuarantine(db),
    }),
  },
  { provide: KEEP_REGISTRY, useExisting: parts.keepRegistry },
  {
    provide: KEEP_CLAIMS,
    inject: [parts.db, SLICES, REFUSALS],
    useFactory: (db: Db, slices: Slices, refusals: RefusalCounts) => {
      const claims = createClaimStore(db);
      return (tenantIds: ReadonlySet<string>) =>
        keepEndpointClaims(tenantIds, {
          slices,
          claims,
          placeOf,
          refused: (refused) => refusals.add(refused),
        });
    },
  },
  { provide: OPERATOR_READS, inject: [parts.db, parts.plans], useFactory: createOperatorReads },
  {
    provide: APP_FILTER,
    inject: [parts.log],
    useFactory: (log: Logger) => new FaultsFilter(log),
  },
];
