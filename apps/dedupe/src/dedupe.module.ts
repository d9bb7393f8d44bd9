import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { createCodec, type Codec } from '@counterpart/contracts';
import { createPlanStore, keepRegistry, type PlanStore } from '@counterpart/plan-store';
import {
  createProducer,
  type KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { createRelay, type OutboxRelay } from '@counterpart/platform-outbox';
import { createPool, type Db } from '@counterpart/platform-postgres';
import { closing, HEALTH_CHECKS, requirePart } from '@counterpart/platform-service';
import { createLogger, type Logger } from '@counterpart/platform-telemetry';
import { createHandlers } from './adapters/inbound/handlers.js';
import { dedupeHealth } from './adapters/inbound/health.js';
import { OperatorController } from './adapters/inbound/operator.controller.js';
import { HANDLERS, OPERATOR_READS } from './adapters/inbound/tokens.js';
import { TopicsConsumer } from './adapters/inbound/topics.consumer.js';
import { createGateStore } from './adapters/outbound/gate-store.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import { createSaveMessages } from './adapters/outbound/save-messages.js';
import type { DedupeConfig } from './config.js';

const CONFIG = Symbol('config');
const DB = Symbol('db');
const CODEC = Symbol('codec');
const PRODUCER = Symbol('producer');
const RELAY = Symbol('relay');
const PLANS = Symbol('plans');
const LOG = Symbol('log');

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class DedupeModule {
  static with(config: DedupeConfig, strategy: KafkaBatchStrategy): DynamicModule {
    return {
      module: DedupeModule,
      controllers: [TopicsConsumer, OperatorController],
      providers: [
        { provide: CONFIG, useValue: config },
        ...parts,
        {
          provide: HEALTH_CHECKS,
          inject: [DB],
          useFactory: (db: Db) => dedupeHealth(db, strategy),
        },
      ],
    };
  }
}

const parts: Provider[] = [
  {
    provide: LOG,
    inject: [CONFIG],
    useFactory: (config: DedupeConfig) =>
      createLogger('dedupe', { instanceId: config.INSTANCE_ID, level: config.LOG_LEVEL }),
  },
  {
    provide: DB,
    inject: [CONFIG],
    useFactory: async (config: DedupeConfig) => {
      const db = createPool({
        url: config.DATABASE_URL.reveal(),
        max: config.DATABASE_POOL_MAX,
        name: config.INSTANCE_ID,
      });
      await requirePart('PostgreSQL (DATABASE_URL)', () =>
        db.query('select 1 from dedupe.event_ledger limit 1'),
      );
      return db;
    },
  },
  {
    provide: CODEC,
    inject: [CONFIG],
    useFactory: (config: DedupeConfig) =>
      requirePart('the schema registry (SCHEMA_REGISTRY_URL)', () =>
        createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL }),
      ),
  },
  {
    provide: PRODUCER,
    inject: [CONFIG],
    useFactory: (config: DedupeConfig) =>
      createProducer({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID }),
  },
  {
    provide: RELAY,
    inject: [DB, PRODUCER, CONFIG, LOG],
    useFactory: (db: Db, producer: StreamProducer, config: DedupeConfig, log: Logger) => {
      const relay = createRelay({
        db,
        schema: 'dedupe',
        producer,
        clock,
        instanceId: config.INSTANCE_ID,
        log,
      });
      relay.start();
      return relay;
    },
  },
  {
    provide: PLANS,
    inject: [DB],
    useFactory: (db: Db) => createPlanStore({ db, schema: 'dedupe', clock }),
  },
  {
    provide: HANDLERS,
    inject: [CODEC, DB, PLANS, RELAY, LOG],
    useFactory: (codec: Codec, db: Db, plans: PlanStore, relay: OutboxRelay, log: Logger) =>
      createHandlers({
        codec,
        store: createGateStore(db, createSaveMessages(codec)),
        nowMs: clock.nowMs,
        onSaved: () => relay.wake(),
        registry: keepRegistry({
          codec,
          store: plans,
          onUnreadable: (message, code) =>
            log.error({ code, offset: message.offset }, 'a plan cannot be read'),
        }),
      }),
  },
  { provide: OPERATOR_READS, inject: [DB], useFactory: createOperatorReads },
  closing([RELAY, PRODUCER, DB], async (relay: OutboxRelay, producer: StreamProducer, db: Db) => {
    await relay.stop();
    await producer.close();
    await db.close();
  }),
];
