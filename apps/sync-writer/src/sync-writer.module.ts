import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Codec } from '@counterpart/contracts';
import type { PlanStore } from '@counterpart/plan-store';
import { resolveSecret } from '@counterpart/platform-config';
import { createHttpClient, type HttpClient } from '@counterpart/platform-http';
import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { OutboxRelay } from '@counterpart/platform-outbox';
import { DbError, type Db } from '@counterpart/platform-postgres';
import { createLocalLimiter, createRedis, type RedisPort } from '@counterpart/platform-redis';
import { stopTaking } from '@counterpart/platform-service';
import type { Logger, Telemetry } from '@counterpart/platform-telemetry';
import { commonParts, parts } from '@counterpart/platform-topic-service';
import type { Clock, Random } from '@counterpart/sync-model';
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
import { tracing } from './adapters/outbound/tracing.js';
import { createWriteStore } from './adapters/outbound/write-store.js';
import { writerMetrics } from './adapters/outbound/writer-metrics.js';
import type { LaneStore, Sources } from './application/ports.js';
import { LaneRunner } from './application/run-lanes.js';
import type { WriterConfig } from './config.js';
import { headBudget } from './domain/retry.js';
import { flow } from './flow.js';

const REDIS = Symbol('redis');
const HTTP = Symbol('http');
const SOURCES = Symbol('sources');
const SAVE = Symbol('save');
const LANES = Symbol('lanes');
const RUNNER = Symbol('runner');
const LOOP = Symbol('loop');

const clock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const random: Random = { fraction: () => Math.random(), uuid: () => randomUUID() };
const wakeChannel = 'lanes';
/** SQLSTATE classes of faults in what was asked, not in the asking. */
const isInfrastructure = (error: unknown): boolean =>
  error instanceof DbError && !/^(22|23|42)/.test(error.code);

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class SyncWriterModule {
  static with(
    config: WriterConfig,
    strategy: KafkaBatchStrategy,
    telemetry: Telemetry,
  ): DynamicModule {
    return {
      module: SyncWriterModule,
      controllers: [SyncOperationsConsumer, OperatorController],
      providers: [
        ...commonParts({
          service: flow.service,
          schema: 'sync',
          hasOutbox: true,
          config,
          strategy,
          telemetry,
          closeFirst: {
            inject: [REDIS, HTTP],
            close: async (redis: RedisPort | null, http: HttpClient) => {
              await redis?.close();
              await http.close();
            },
          },
        }),
        ...outbound(config),
        ...lanes(config),
        ...handlers,
      ],
    };
  }
}

const outbound = (config: WriterConfig): Provider[] => [
  {
    provide: REDIS,
    useFactory: (): RedisPort | null =>
      config.REDIS_URL === undefined
        ? null
        : createRedis({ url: config.REDIS_URL.reveal(), name: config.INSTANCE_ID, clock }),
  },
  { provide: HTTP, useFactory: () => createHttpClient({ clock }) },
  {
    provide: SAVE,
    inject: [parts.codec],
    useFactory: (codec: Codec) => createSaveOutgoing((message) => encodeWith(codec, message)),
  },
  {
    provide: SOURCES,
    inject: [parts.db, parts.plans, REDIS, HTTP],
    useFactory: (db: Db, plans: PlanStore, redis: RedisPort | null, http: HttpClient): Sources => {
      const pauses = createSourcePauses(db);
      const alone = createLocalLimiter(clock);
      return createCrmSources({
        planOf: (tenantId) => plans.planOf(tenantId),
        resolveSecret: (ref) => resolveSecret(ref, config.SECRETS_DIR),
        allowPrivateAddresses: config.ALLOW_PRIVATE_ADDRESSES,
        http: http.send,
        clock,
        budgetOf: (tenantId, sourceId, { quota }) =>
          createCallBudget({
            tenantId,
            sourceId,
            quota,
            shared: redis?.windowLimiter ?? null,
            alone,
            pauses,
            clock,
            aloneShare: config.ALONE_SHARE_PERCENT / 100,
          }),
      });
    },
  },
];

const lanes = (config: WriterConfig): Provider[] => [
  {
    provide: LANES,
    inject: [parts.db, SAVE],
    useFactory: (db: Db, save: SaveOutgoing) =>
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
    inject: [parts.db, SAVE, LANES, SOURCES, parts.relay, REDIS, parts.log],
    useFactory: (
      db: Db,
      save: SaveOutgoing,
      store: LaneStore,
      sources: Sources,
      relay: OutboxRelay,
      redis: RedisPort | null,
      log: Logger,
    ) =>
      new LaneRunner({
        lanes: store,
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
    inject: [RUNNER, REDIS, parts.log],
    useFactory: (runner: LaneRunner, redis: RedisPort | null, log: Logger) => {
      const loop = new LaneLoop(runner, config.POLL_MS, (error) =>
        log.error({ error }, 'due lanes could not be taken'),
      );
      loop.start(config.LANE_LEASE_MS / 3);
      redis?.wakeUps.subscribe(wakeChannel, () => loop.wake());
      return loop;
    },
  },
  stopTaking([LOOP], (loop: LaneLoop) => loop.stop()),
];

const handlers: Provider[] = [
  {
    provide: KEEP_OPERATIONS,
    inject: [parts.codec, parts.db, SAVE, LOOP, parts.relay],
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
  { provide: KEEP_REGISTRY, useExisting: parts.keepRegistry },
  { provide: OPERATOR_READS, inject: [parts.db], useFactory: createOperatorReads },
];
