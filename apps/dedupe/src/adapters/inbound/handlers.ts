import type { Codec } from '@counterpart/contracts';
import { currentTraceparent, spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import type { SourceEvent, SyncResult } from '@counterpart/sync-model';
import { handleSourceEvents } from '../../application/handle-source-events.js';
import type { GateStore } from '../../application/ports.js';
import { withResult, type OperationResults } from '../../domain/settle-entry.js';
import { readBatch } from './read-batch.js';
import type { BatchHandler, Handlers } from './tokens.js';

/** What becomes of a Kafka batch of each topic. A promise that resolves lets the offset go. */
export const createHandlers = (ports: {
  readonly codec: Codec;
  readonly store: GateStore;
  readonly nowMs: () => number;
  /** Something was saved: the outbox may have rows. */
  readonly onSaved: () => void;
  readonly registry: BatchHandler;
}): Handlers => ({
  registry: ports.registry,
  async events(batch) {
    const { arrived, unreadable } = await readBatch(
      ports.codec,
      'counterpart.source-events.v1',
      batch,
      ports.nowMs(),
    );
    await handleSourceEvents(arrived, unreadable, {
      store: ports.store,
      nowMs: ports.nowMs,
      traced,
    });
    ports.onSaved();
  },
  async writes(batch) {
    const { arrived, unreadable } = await readBatch(
      ports.codec,
      'counterpart.write-memory.v1',
      batch,
      ports.nowMs(),
    );
    await ports.store.remember(
      arrived.map(({ value }) => value),
      unreadable,
    );
    ports.onSaved();
  },
  async results(batch) {
    const { arrived, unreadable } = await readBatch(
      ports.codec,
      'counterpart.sync-results.v1',
      batch,
      ports.nowMs(),
    );
    await ports.store.settle(
      arrived.map(({ value }) => value),
      laidOver,
      unreadable,
    );
    ports.onSaved();
  },
});

const laidOver = (known: OperationResults, result: SyncResult): OperationResults =>
  withResult(known, result.operationId, {
    version: result.operationVersion,
    outcome: result.outcome,
    reason: result.reason,
  });

/** Marks the event's passage in its own trace; the next service goes on from this mark. */
const traced = (
  event: SourceEvent,
  name: string,
  traceparent: string | null,
): Promise<string | null> =>
  traceparent === null
    ? Promise.resolve(null)
    : withSpan(
        name,
        {
          kind: 'consumer',
          parent: traceparent,
          attributes: {
            [spanAttributes.tenantId]: event.tenantId,
            [spanAttributes.sourceId]: event.sourceId,
            [spanAttributes.recordType]: event.recordType,
            [spanAttributes.eventKey]: event.eventKey,
            [spanAttributes.eventKind]: event.kind,
          },
        },
        () => Promise.resolve(currentTraceparent() ?? traceparent),
      );
