import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Codec } from '@counterpart/contracts';
import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { OutboxRelay } from '@counterpart/platform-outbox';
import type { Db } from '@counterpart/platform-postgres';
import type { Telemetry } from '@counterpart/platform-telemetry';
import { commonParts, parts } from '@counterpart/platform-topic-service';
import { createHandlers } from './adapters/inbound/handlers.js';
import { OperatorController } from './adapters/inbound/operator.controller.js';
import { HANDLERS, OPERATOR_READS, type BatchHandler } from './adapters/inbound/tokens.js';
import { TopicsConsumer } from './adapters/inbound/topics.consumer.js';
import { markDecisions } from './adapters/outbound/decision-marks.js';
import { countDecisions } from './adapters/outbound/gate-metrics.js';
import { createGateStore } from './adapters/outbound/gate-store.js';
import { createOperatorReads } from './adapters/outbound/operator-reads.js';
import { createSaveMessages } from './adapters/outbound/save-messages.js';
import type { DedupeConfig } from './config.js';
import { flow } from './flow.js';

const clock = { nowMs: () => Date.now() };

/** Wiring only: one factory for each part, no logic. */
@Module({})
export class DedupeModule {
  static with(
    config: DedupeConfig,
    strategy: KafkaBatchStrategy,
    telemetry: Telemetry,
  ): DynamicModule {
    return {
      module: DedupeModule,
      controllers: [TopicsConsumer, OperatorController],
      providers: [
        ...commonParts({
          service: flow.service,
          schema: 'dedupe',
          hasOutbox: true,
          config,
          strategy,
          telemetry,
        }),
        ...gate,
      ],
    };
  }
}

const gate: Provider[] = [
  {
    provide: HANDLERS,
    inject: [parts.codec, parts.db, parts.relay, parts.keepRegistry],
    useFactory: (codec: Codec, db: Db, relay: OutboxRelay, registry: BatchHandler) =>
      createHandlers({
        codec,
        store: createGateStore(db, createSaveMessages(codec)),
        nowMs: clock.nowMs,
        mark: markDecisions,
        counted: countDecisions,
        onSaved: () => relay.wake(),
        registry,
      }),
  },
  { provide: OPERATOR_READS, inject: [parts.db], useFactory: createOperatorReads },
];
