import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { createCodec, type Codec } from '@counterpart/contracts';
import { createPlanStore, keepRegistry, type PlanStore } from '@counterpart/plan-store';
import { resolveSecret } from '@counterpart/platform-config';
import { createHttpSend } from '@counterpart/platform-http';
import {
  createProducer,
  type KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { createRelay, type OutboxRelay } from '@counterpart/platform-outbox';
import { createPool, DbError, type Db } from '@counterpart/platform-postgres';
import { createLocalLimiter, createRedis, type RedisPort } from '@counterpart/platform-redis';
import { closing, HEALTH_CHECKS, requirePart, stopTaking } from '@counterpart/platform-service';
import { createLogger, type Logger } from '@counterpart/platform-telemetry';
import type { Clock, Random } from '@counterpart/sync-model';
import type { WriterConfig } from './config.js';
import { writerHealth } from './adapters/inbound/health.js';
import { createKeepOperations } from './adapters/inbound/keep-operations.js';
import { LaneLoop } from './adapters/inbound/lane-loop.js';
import { OperatorController } from './adapters/inbound/operator.controller.js';
import { SyncOperationsConsumer } from './adapters/inbound/sync-operations.consumer.js';
import { KEEP_OPERATIONS, KEEP_REGISTRY, OPERATOR_READS } from './adapters/inbound/tokens.js';
import { createCallBudget } from './adapters/outbound/call-budget.js';
import { createCrmSources } from './adapters/outbound/crm-sources.js';
import { createEdgeStore } from './adapters/outbound/edge-store.js';
import { createIdentityStore } from './adapters/outbound/identity-store.js';
import { createLaneStore } from './adapters/outbound/lane-store.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import {
  createSaveOutgoing,
  encodeWith,
  type SaveOutgoing,
} from './adapters/outbound/save-outgoing.js';
import { createSourcePauses } from './adapters/outbound/source-pauses.js';
import { createWriteStore } from './adapters/outbound/write-store.js';
import { tracing } from './adapters/outbound/tracing.js';
import { writerMetrics } from './adapters/outbound/writer-metrics.js';
import { LaneRunner } from './application/run-lanes.js';
import type { LaneStore, Sources } from './application/ports.js';
import { headBudget } from './domain/retry.js';

const CONFIG = Symbol('config');
const DB = Symbol('db');
const CODEC = Symbol('codec');
const REDIS = Symbol('redis');
const PRODUCER = Symbol('producer');
const RELAY = Symbol('relay');
const PLANS = Symbol('plans');
const SOURCES = Symbol('sources');
const SAVE = Symbol('save');
const LANES = Symbol('lanes');
const RUNNER = Symbol('runner');
const LOOP = Symbol('loop');
const LOG = Symbol('log');

const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const random: Random = { fraction: () => Math.random(), uuid: () => randomUUID() };
const wakeChannel = 'lanes';
/** SQLSTATE classes of faults in what was asked, not in the asking. */
const isInfrastructure = (error: unknown): boolean =>
  error instanceof DbError && !/^(22|23|42)/.test(error.code);

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class SyncWriterModule {
  static with(config: WriterConfig, strategy: KafkaBatchStrategy): DynamicModule {
    return {
      module: SyncWriterModule,
      controllers: [SyncOperationsConsumer, OperatorController],
      providers: [
        { provide: CONFIG, useValue: config },
        ...parts,
        ...handlers,
        ...lifecycle(strategy),
      ],
    };
  }
}

const parts: Provider[] = [
  {
    provide: LOG,
    inject: [CONFIG],
    useFactory: (config: WriterConfig) =>
      createLogger('sync-writer', { instanceId: config.INSTANCE_ID, level: config.LOG_LEVEL }),
  },
  {
    provide: DB,
    inject: [CONFIG],
    useFactory: async (config: WriterConfig) => {
      const db = createPool({
        url: config.DATABASE_URL.reveal(),
        max: config.DATABASE_POOL_MAX,
        name: config.INSTANCE_ID,
      });
      await requirePart('PostgreSQL (DATABASE_URL)', () =>
        db.query('select 1 from sync.lanes limit 1'),
      );
      return db;
    },
  },
  {
    provide: CODEC,
    inject: [CONFIG],
    useFactory: (config: WriterConfig) =>
      requirePart('the schema registry (SCHEMA_REGISTRY_URL)', () =>
        createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL }),
      ),
  },
  {
    provide: REDIS,
    inject: [CONFIG],
    useFactory: (config: WriterConfig): RedisPort | null =>
      config.REDIS_URL === undefined
        ? null
        : createRedis({ url: config.REDIS_URL.reveal(), name: config.INSTANCE_ID, clock }),
  },
  {
    provide: PRODUCER,
    inject: [CONFIG],
    useFactory: (config: WriterConfig) =>
      createProducer({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID }),
  },
  {
    provide: RELAY,
    inject: [DB, PRODUCER, CONFIG, LOG],
    useFactory: (db: Db, producer: StreamProducer, config: WriterConfig, log: Logger) =>
      createRelay({ db, schema: 'sync', producer, clock, instanceId: config.INSTANCE_ID, log }),
  },
  {
    provide: PLANS,
    inject: [DB],
    useFactory: (db: Db) => createPlanStore({ db, schema: 'sync', clock }),
  },
  {
    provide: SAVE,
    inject: [CODEC],
    useFactory: (codec: Codec) => createSaveOutgoing((message) => encodeWith(codec, message)),
  },
  {
    provide: SOURCES,
    inject: [DB, PLANS, REDIS, CONFIG],
    useFactory: (
      db: Db,
      plans: PlanStore,
      redis: RedisPort | null,
      config: WriterConfig,
    ): Sources => {
      const pauses = createSourcePauses(db);
      const alone = createLocalLimiter(clock);
      return createCrmSources({
        planOf: (tenantId) => plans.planOf(tenantId),
        resolveSecret: (ref) => resolveSecret(ref, config.SECRETS_DIR),
        http: createHttpSend(),
        clock,
        budgetOf: (tenantId, sourceId, source) =>
          createCallBudget({
            tenantId,
            sourceId,
            quota: source.quota,
            shared: redis?.windowLimiter ?? null,
            alone,
            pauses,
            clock,
            aloneShare: config.ALONE_SHARE_PERCENT / 100,
          }),
      });
    },
  },
  {
    provide: LANES,
    inject: [DB, SAVE, CONFIG],
    useFactory: (db: Db, save: SaveOutgoing, config: WriterConfig) =>
      createLaneStore({
        db,
        clock,
        instanceId: config.INSTANCE_ID,
        leaseMs: config.LANE_LEASE_MS,
        save,
      }),
  },
  {
    provide: RUNNER,
    inject: [DB, SAVE, LANES, SOURCES, RELAY, REDIS, CONFIG, LOG],
    useFactory: (
      db: Db,
      save: SaveOutgoing,
      lanes: LaneStore,
      sources: Sources,
      relay: OutboxRelay,
      redis: RedisPort | null,
      config: WriterConfig,
      log: Logger,
    ) =>
      new LaneRunner({
        lanes,
        sources,
        clock,
        random,
        identity: createIdentityStore(db, save),
        writes: createWriteStore({ db, clock, random, instanceId: config.INSTANCE_ID, save }),
        edges: createEdgeStore(db),
        budget: headBudget,
        metrics: writerMetrics,
        tracing,
        onBroken: (error) => log.error({ error }, 'a pass broke on a fault of our own'),
        isInfrastructure,
        wakeOthers: () => {
          relay.wake();
          void redis?.wakeUps.publish(wakeChannel, '');
        },
      }),
  },
  {
    provide: LOOP,
    inject: [RUNNER, CONFIG, LOG],
    useFactory: (runner: LaneRunner, config: WriterConfig, log: Logger) =>
      new LaneLoop(runner, config.POLL_MS, (error) =>
        log.error({ error }, 'due lanes could not be taken'),
      ),
  },
];

const handlers: Provider[] = [
  {
    provide: KEEP_OPERATIONS,
    inject: [CODEC, DB, SAVE, LOOP, RELAY],
    useFactory: (codec: Codec, db: Db, save: SaveOutgoing, loop: LaneLoop, relay: OutboxRelay) =>
      createKeepOperations({
        codec,
        db,
        clock,
        save,
        onKept: () => {
          loop.wake();
          relay.wake();
        },
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
];

const lifecycle = (strategy: KafkaBatchStrategy): Provider[] => [
  {
    provide: Symbol('start'),
    inject: [LOOP, RELAY, REDIS, CONFIG],
    useFactory: (
      loop: LaneLoop,
      relay: OutboxRelay,
      redis: RedisPort | null,
      config: WriterConfig,
    ) => {
      relay.start();
      loop.start();
      redis?.wakeUps.subscribe(wakeChannel, () => loop.wake());
      loop.renewEvery(config.LANE_LEASE_MS / 3);
    },
  },
  stopTaking([LOOP], (loop: LaneLoop) => loop.stop()),
  closing(
    [RELAY, PRODUCER, REDIS, DB],
    async (relay: OutboxRelay, producer: StreamProducer, redis: RedisPort | null, db: Db) => {
      await relay.stop();
      await producer.close();
      await redis?.close();
      await db.close();
    },
  ),
  { provide: HEALTH_CHECKS, inject: [DB], useFactory: (db: Db) => writerHealth(db, strategy) },
];
