import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { createCodec, type Codec } from '@counterpart/contracts';
import {
  createPlanStore,
  keepRegistry,
  type PlanStore,
  type VersionedPlan,
} from '@counterpart/plan-store';
import {
  createProducer,
  type KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { createPool, type Db } from '@counterpart/platform-postgres';
import { closing, HEALTH_CHECKS, requirePart } from '@counterpart/platform-service';
import { createLogger, type Logger } from '@counterpart/platform-telemetry';
import type { Clock } from '@counterpart/sync-model';
import { DeliveriesController } from './adapters/inbound/deliveries.controller.js';
import { FaultsFilter } from './adapters/inbound/faults.filter.js';
import { ingestHealth } from './adapters/inbound/health.js';
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

const CONFIG = Symbol('config');
const DB = Symbol('db');
const CODEC = Symbol('codec');
const PRODUCER = Symbol('producer');
const PLANS = Symbol('plans');
const REFUSALS = Symbol('refusals');
const LOG = Symbol('log');

const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class IngestModule {
  static with(config: IngestConfig, strategy: KafkaBatchStrategy): DynamicModule {
    return {
      module: IngestModule,
      controllers: [DeliveriesController, OperatorController, RegistryConsumer],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: PUBLIC_URL, useValue: config.PUBLIC_URL },
        ...parts,
        {
          provide: HEALTH_CHECKS,
          inject: [DB],
          useFactory: (db: Db) => ingestHealth(db, strategy),
        },
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

const parts: Provider[] = [
  {
    provide: LOG,
    inject: [CONFIG],
    useFactory: (config: IngestConfig) =>
      createLogger('ingest', { instanceId: config.INSTANCE_ID, level: config.LOG_LEVEL }),
  },
  {
    provide: DB,
    inject: [CONFIG],
    useFactory: async (config: IngestConfig) => {
      const db = createPool({
        url: config.DATABASE_URL.reveal(),
        max: config.DATABASE_POOL_MAX,
        name: config.INSTANCE_ID,
      });
      await requirePart('PostgreSQL (DATABASE_URL)', () =>
        db.query('select 1 from ingest.sync_plans limit 1'),
      );
      return db;
    },
  },
  {
    provide: CODEC,
    inject: [CONFIG],
    useFactory: (config: IngestConfig) =>
      requirePart('the schema registry (SCHEMA_REGISTRY_URL)', () =>
        createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL }),
      ),
  },
  {
    provide: PRODUCER,
    inject: [CONFIG],
    useFactory: (config: IngestConfig) =>
      createProducer({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID }),
  },
  {
    provide: PLANS,
    inject: [DB, LOG],
    useFactory: (db: Db, log: Logger) =>
      createPlanStore({
        db,
        schema: 'ingest',
        clock,
        onStale: (error) =>
          log.warn({ error }, 'plans cannot be read; the last ones stay in force'),
      }),
  },
  {
    provide: REFUSALS,
    inject: [DB, LOG],
    useFactory: (db: Db, log: Logger) => new RefusalCounts(db, log),
  },
  {
    provide: INGEST_PORTS,
    inject: [DB, CODEC, PRODUCER, PLANS, REFUSALS, CONFIG],
    useFactory: (
      db: Db,
      codec: Codec,
      producer: StreamProducer,
      plans: PlanStore,
      refusals: RefusalCounts,
      config: IngestConfig,
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
  {
    provide: KEEP_REGISTRY,
    inject: [CODEC, PLANS, LOG],
    useFactory: (codec: Codec, store: PlanStore, log: Logger) =>
      keepRegistry({
        codec,
        store,
        onUnreadable: (message, code) =>
          log.error({ code, offset: message.offset }, 'a plan cannot be read'),
      }),
  },
  { provide: OPERATOR_READS, inject: [DB], useFactory: createOperatorReads },
  { provide: APP_FILTER, inject: [LOG], useFactory: (log: Logger) => new FaultsFilter(log) },
  closing(
    [PRODUCER, REFUSALS, DB],
    async (producer: StreamProducer, refusals: RefusalCounts, db: Db) => {
      await producer.close();
      await refusals.close();
      await db.close();
    },
  ),
];
