import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Codec } from '@counterpart/contracts';
import { adapterFor } from '@counterpart/crm-registry';
import type { PlanStore } from '@counterpart/plan-store';
import { resolveSecret } from '@counterpart/platform-config';
import { createHttpClient, type HttpClient } from '@counterpart/platform-http';
import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { OutboxRelay } from '@counterpart/platform-outbox';
import type { Db } from '@counterpart/platform-postgres';
import { createLocalLimiter } from '@counterpart/platform-redis';
import { stopTaking } from '@counterpart/platform-service';
import type { Logger, Telemetry } from '@counterpart/platform-telemetry';
import { commonParts, parts } from '@counterpart/platform-topic-service';
import type { Clock, Random } from '@counterpart/sync-model';
import { decoding } from './adapters/inbound/decode-batch.js';
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
import { flow } from './flow.js';

const HTTP = Symbol('http');
const SAVE = Symbol('save');
const SOURCES = Symbol('sources');
const READBACKS = Symbol('readbacks');
const FOLLOW_PORTS = Symbol('follow-ports');
const LOOP = Symbol('loop');

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
        ...commonParts({
          service: flow.service,
          schema: 'reconcile',
          hasOutbox: true,
          config,
          strategy,
          telemetry,
          closeFirst: { inject: [HTTP], close: (http: HttpClient) => http.close() },
        }),
        ...readbacks(config),
        ...handlers,
      ],
    };
  }
}

const readbacks = (config: ReconcilerConfig): Provider[] => [
  { provide: HTTP, useFactory: () => createHttpClient({ clock }) },
  { provide: SAVE, inject: [parts.codec], useFactory: createSaveOutgoing },
  { provide: READBACKS, inject: [parts.db, SAVE], useFactory: createReadbackStore },
  {
    provide: SOURCES,
    inject: [parts.plans, HTTP],
    useFactory: (plans: PlanStore, http: HttpClient) => {
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
    inject: [READBACKS, SOURCES, parts.relay, parts.log],
    useFactory: (store: ReadbackStore, sources: Sources, relay: OutboxRelay, log: Logger) => {
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
      const loop = new ReadbackLoop(runner, config.POLL_MS, onBroken);
      loop.start();
      return loop;
    },
  },
  stopTaking([LOOP], (loop: ReadbackLoop) => loop.stop()),
];

const handlers: Provider[] = [
  {
    provide: FOLLOW_PORTS,
    inject: [READBACKS, parts.db, SAVE],
    useFactory: (store: ReadbackStore, db: Db, save: SaveOutgoing): FollowPorts => ({
      readbacks: store,
      cases: createCaseStore(db, save),
      clock,
    }),
  },
  {
    provide: FOLLOW_UNKNOWN_OPERATIONS,
    inject: [parts.codec, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.unknown-operations.v1', (batch) =>
        keepUnknownOperations(batch, ports),
      ),
  },
  {
    provide: FOLLOW_RESULTS,
    inject: [parts.codec, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.sync-results.v1', (batch) => followResults(batch, ports)),
  },
  {
    provide: FOLLOW_DEAD_LETTERS,
    inject: [parts.codec, FOLLOW_PORTS],
    useFactory: (codec: Codec, ports: FollowPorts) =>
      decoding(codec, 'counterpart.dead-letters.v1', (batch) => followDeadLetters(batch, ports)),
  },
  { provide: FOLLOW_REGISTRY, useExisting: parts.keepRegistry },
  { provide: OPERATOR_READS, inject: [parts.db], useFactory: createOperatorReads },
];
