import type { InjectionToken, Provider } from '@nestjs/common';
import { createCodec } from '@counterpart/contracts';
import { createPlanStore, keepRegistry } from '@counterpart/plan-store';
import type { Secret } from '@counterpart/platform-config';
import {
  createProducer,
  type InboundMessage,
  type KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { createRelay, type OutboxRelay } from '@counterpart/platform-outbox';
import { createPool, type Db } from '@counterpart/platform-postgres';
import { closing, HEALTH_CHECKS, requirePart } from '@counterpart/platform-service';
import { createLogger, type LogLevel, type Telemetry } from '@counterpart/platform-telemetry';
import { topicHealth } from './topic-health.js';

/** The settings every service of the flow has. */
export interface CommonConfig {
  readonly KAFKA_BROKERS: readonly string[];
  readonly SCHEMA_REGISTRY_URL: string;
  readonly DATABASE_URL: Secret;
  readonly DATABASE_POOL_MAX: number;
  readonly HTTP_HOST: string;
  readonly HTTP_PORT: number;
  readonly INSTANCE_ID: string;
  readonly LOG_LEVEL: LogLevel;
  readonly OTLP_URL?: string | undefined;
}

/** Tokens of the parts that every service of the flow is made of. */
export const parts = {
  log: Symbol('log'),
  db: Symbol('db'),
  codec: Symbol('codec'),
  producer: Symbol('producer'),
  /** Only for services with an outbox; started with the module, woken by who filled it. */
  relay: Symbol('relay'),
  plans: Symbol('plans'),
  /** Handler of the registry topic. */
  keepRegistry: Symbol('keep-registry'),
} as const;

export interface CommonOptions {
  readonly service: string;
  /** The service's own PostgreSQL schema. */
  readonly schema: string;
  readonly hasOutbox: boolean;
  readonly config: CommonConfig;
  readonly strategy: Pick<KafkaBatchStrategy, 'consumerStatus'>;
  readonly telemetry: Telemetry;
  /** Closed before the parts it uses. */
  readonly closeFirst?: {
    readonly inject: readonly InjectionToken[];
    readonly close: (...own: never[]) => Promise<void>;
  };
}

const monotonic = { monotonicMs: () => performance.now() };

/** The parts, their readiness, and their end in the order in which they use each other. */
export const commonParts = (options: CommonOptions): Provider[] => [
  ...storeParts(options),
  ...topicParts(options),
  {
    provide: HEALTH_CHECKS,
    inject: [parts.db],
    useFactory: (db: Db) => topicHealth(db, options.strategy),
  },
  closeAll(options),
];

/** In the order of use: what a service adds, then relay and producer, then the database. */
const closeAll = ({ closeFirst, hasOutbox, telemetry }: CommonOptions): Provider => {
  const own = closeFirst?.inject ?? [];
  const relayToken = hasOutbox ? [parts.relay] : [];
  return closing([...own, parts.producer, parts.db, ...relayToken], async (...all: never[]) => {
    const [producer, db, relay] = all.slice(own.length) as unknown as [
      StreamProducer,
      Db,
      OutboxRelay | undefined,
    ];
    await closeFirst?.close(...all.slice(0, own.length));
    await relay?.stop();
    await producer.close();
    await db.close();
    await telemetry.shutdown();
  });
};

const storeParts = ({ service, schema, config }: CommonOptions): Provider[] => [
  {
    provide: parts.log,
    useFactory: () =>
      createLogger(service, { instanceId: config.INSTANCE_ID, level: config.LOG_LEVEL }),
  },
  {
    provide: parts.db,
    useFactory: async () => {
      const db = createPool({
        url: config.DATABASE_URL.reveal(),
        max: config.DATABASE_POOL_MAX,
        name: config.INSTANCE_ID,
      });
      await requirePart('PostgreSQL (DATABASE_URL)', () =>
        db.query(`select 1 from ${schema}.sync_plans limit 1`),
      );
      return db;
    },
  },
  {
    provide: parts.plans,
    inject: [parts.db, parts.log],
    useFactory: (db: Db, log: ReturnType<typeof createLogger>) =>
      createPlanStore({
        db,
        schema,
        clock: monotonic,
        onStale: (error) =>
          log.warn({ error }, 'plans cannot be read; the last ones stay in force'),
      }),
  },
];

const topicParts = ({ schema, config, hasOutbox }: CommonOptions): Provider[] => [
  {
    provide: parts.codec,
    useFactory: () =>
      requirePart('the schema registry (SCHEMA_REGISTRY_URL)', () =>
        createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL }),
      ),
  },
  {
    provide: parts.producer,
    useFactory: () =>
      createProducer({ brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID }),
  },
  {
    provide: parts.keepRegistry,
    inject: [parts.codec, parts.plans, parts.log],
    useFactory: (
      codec: Parameters<typeof keepRegistry>[0]['codec'],
      store: Parameters<typeof keepRegistry>[0]['store'],
      log: ReturnType<typeof createLogger>,
    ) =>
      keepRegistry({
        codec,
        store,
        onUnreadable: (message: InboundMessage, code) =>
          log.error({ code, offset: message.offset }, 'a plan cannot be read'),
      }),
  },
  ...(hasOutbox
    ? [
        {
          provide: parts.relay,
          inject: [parts.db, parts.producer, parts.log],
          useFactory: (db: Db, producer: StreamProducer, log: ReturnType<typeof createLogger>) => {
            const instanceId = config.INSTANCE_ID;
            const relay = createRelay({ db, schema, producer, clock: monotonic, instanceId, log });
            relay.start();
            return relay;
          },
        },
      ]
    : []),
];
