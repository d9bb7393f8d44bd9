import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { createCodec, type Codec } from '@counterpart/contracts';
import { adapterFor } from '@counterpart/crm-registry';
import { createPlanStore, keepRegistry, type PlanStore } from '@counterpart/plan-store';
import { resolveSecret } from '@counterpart/platform-config';
import { createHttpClient, type HttpClient } from '@counterpart/platform-http';
import {
  createProducer,
  type KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { createRelay, type OutboxRelay } from '@counterpart/platform-outbox';
import { createPool, type Db } from '@counterpart/platform-postgres';
import { createLocalLimiter } from '@counterpart/platform-redis';
import { closing, HEALTH_CHECKS, requirePart, stopTaking } from '@counterpart/platform-service';
import { createLogger, type Logger, type Telemetry } from '@counterpart/platform-telemetry';
import type { Clock, Random } from '@counterpart/sync-model';
import { decoding } from './adapters/inbound/decode-batch.js';
import { healthChecks } from './adapters/inbound/health.js';
import { OperatorController } from './adapters/inbound/operator.controller.js';
import { ReadbackLoop } from './adapters/inbound/readback-loop.js';
import {
  FOLLOW_DEAD_LETTERS,
  FOLLOW_REGISTRY,
  FOLLOW_RESULTS,
  FOLLOW_UNKNOWN_OPERATIONS,
  OPERATOR_READS,
} from './adapters/inbound/tokens.js';
import { TopicsConsumer } from './adapters/inbound/topics.consumer.js';
import { createCallBudget } from './adapters/outbound/call-budget.js';
import { createCaseStore } from './adapters/outbound/case-store.js';
import { createCrmSources } from './adapters/outbound/crm-sources.js';
import { readbackObserver } from './adapters/outbound/observer.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import { createReadbackStore } from './adapters/outbound/readback-store.js';
import { createSaveOutgoing, type SaveOutgoing } from './adapters/outbound/save-outgoing.js';
import {
  followDeadLetters,
  followResults,
  keepUnknownOperations,
  type FollowPorts,
} from './application/follow-topics.js';
import type { ReadbackStore, Sources } from './application/ports.js';
import { ReadbackRunner } from './application/run-readbacks.js';
import type { ReconcilerConfig } from './config.js';

const CONFIG = Symbol('config');
const LOG = Symbol('log');
const DB = Symbol('db');
const CODEC = Symbol('codec');
const HTTP = Symbol('http');
const PRODUCER = Symbol('producer');
const RELAY = Symbol('relay');
const PLANS = Symbol('plans');
const SAVE = Symbol('save');
const SOURCES = Symbol('sources');
const READBACKS = Symbol('readbacks');
const FOLLOW_PORTS = Symbol('follow-ports');
const LOOP = Symbol('loop');

const SCHEMA = 'reconcile';
const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const random: Random = { fraction: () => Math.random(), uuid: () => randomUUID() };

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class ReconcilerModule {
  static with(
    config: ReconcilerConfig,
    strategy: KafkaBatchStrategy,
    telemetry: Telemetry,
  ): DynamicModule {
    return {
      module: ReconcilerModule,
      controllers: [TopicsConsumer, OperatorController],
      providers: [
        { provide: CONFIG, useValue: config },
        ...parts,
        ...readbacks,
        ...handlers,
        ...lifecycle(strategy, telemetry),
      ],
    };
  }
}

const parts: Provider[] = [
  {
    provide: LOG,
    inject: [CONFIG],
    useFactory: (config: ReconcilerConfig) =>
      createLogger('reconciler', { instanceId: config.INSTANCE_ID, level: config.LOG_LEVEL }),
  },
  {
    provide: DB,
    inject: [CONFIG],
    useFactory: (config: ReconcilerConfig) => openDatabase(config),
  },
  {
    provide: CODEC,
    inject: [CONFIG],
    useFactory: (config: ReconcilerConfig) =>
      requirePart('the schema registry (SCHEMA_REGISTRY_URL)', () =>
        createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL }),
      ),
  },
  { provide: HTTP, useFactory: () => createHttpClient({ clock }) },
  {
    provide: PRODUCER,
    inject: [CONFIG],
    useFactory: (config: ReconcilerConfig) =>
      createProducer({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID }),
  },
  {
    provide: RELAY,
    inject: [DB, PRODUCER, CONFIG, LOG],
    useFactory: (db: Db, producer: StreamProducer, config: ReconcilerConfig, log: Logger) =>
      createRelay({ db, schema: SCHEMA, producer, clock, instanceId: config.INSTANCE_ID, log }),
  },
  {
    provide: PLANS,
    inject: [DB],
    useFactory: (db: Db) => createPlanStore({ db, schema: SCHEMA, clock }),
  },
  { provide: SAVE, inject: [CODEC], useFactory: createSaveOutgoing },
];

async function openDatabase(config: ReconcilerConfig): Promise<Db> {
  const url = config.DATABASE_URL.reveal();
  const db = createPool({ url, max: config.DATABASE_POOL_MAX, name: config.INSTANCE_ID });
  await requirePart('PostgreSQL (DATABASE_URL)', () =>
    db.query(`select 1 from ${SCHEMA}.readbacks limit 1`),
  );
  return db;
}

const readbacks: Provider[] = [
  { provide: READBACKS, inject: [DB, SAVE], useFactory: createReadbackStore },
  {
    provide: SOURCES,
    inject: [PLANS, HTTP, CONFIG],
    useFactory: (plans: PlanStore, http: HttpClient, config: ReconcilerConfig) => {
      const limiter = createLocalLimiter(clock);
      const share = config.QUOTA_SHARE_PERCENT / 100;
      return createCrmSources({
        plans,
        resolveSecret: (ref) => resolveSecret(ref, config.SECRETS_DIR),
        adapterFor,
        http: http.send,
        clock,
        allowPrivateAddresses: config.ALLOW_PRIVATE_ADDRESSES,
        budgetOf: (tenantId, sourceId, { quota }) =>
          createCallBudget({ tenantId, sourceId, quota, limiter, clock, share }),
      });
    },
  },
  {
    provide: LOOP,
    inject: [READBACKS, SOURCES, RELAY, CONFIG, LOG],
    useFactory: (
      store: ReadbackStore,
      sources: Sources,
      relay: OutboxRelay,
      config: ReconcilerConfig,
      log: Logger,
    ) => {
      const onBroken = (error: unknown): void =>
        log.error({ error }, 'readbacks could not be taken or stored');
      const observer = readbackObserver;
      const onStored = (): void => relay.wake();
      const runner = new ReadbackRunner({
        store,
        sources,
        clock,
        random,
        observer,
        onStored,
        onBroken,
      });
      return new ReadbackLoop(runner, config.POLL_MS, onBroken);
    },
  },
];

const handlers: Provider[] = [
  {
    provide: FOLLOW_PORTS,
    inject: [READBACKS, DB, SAVE],
    useFactory: (store: ReadbackStore, db: Db, save: SaveOutgoing): FollowPorts => ({
      readbacks: store,
      cases: createCaseStore(db, save),
      clock,
    }),
  },
  {
    provide: FOLLOW_UNKNOWN_OPERATIONS,
    inject: [CODEC, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.unknown-operations.v1', (batch) =>
        keepUnknownOperations(batch, ports),
      ),
  },
  {
    provide: FOLLOW_RESULTS,
    inject: [CODEC, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.sync-results.v1', (batch) => followResults(batch, ports)),
  },
  {
    provide: FOLLOW_DEAD_LETTERS,
    inject: [CODEC, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.dead-letters.v1', (batch) => followDeadLetters(batch, ports)),
  },
  {
    provide: FOLLOW_REGISTRY,
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

const lifecycle = (strategy: KafkaBatchStrategy, telemetry: Telemetry): Provider[] => [
  {
    provide: Symbol('start'),
    inject: [LOOP, RELAY],
    useFactory: (loop: ReadbackLoop, relay: OutboxRelay) => {
      relay.start();
      loop.start();
    },
  },
  stopTaking([LOOP], (loop: ReadbackLoop) => loop.stop()),
  closing(
    [RELAY, PRODUCER, HTTP, DB],
    async (relay: OutboxRelay, producer: StreamProducer, http: HttpClient, db: Db) => {
      await relay.stop();
      await producer.close();
      await http.close();
      await db.close();
      await telemetry.shutdown();
    },
  ),
  {
    provide: HEALTH_CHECKS,
    inject: [DB],
    useFactory: (db: Db) => healthChecks(db, strategy, clock),
  },
];
