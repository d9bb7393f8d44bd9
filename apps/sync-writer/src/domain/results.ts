import {
  hash128,
  type EntityId,
  type EvidenceClass,
  type ExternalId,
  type OperationId,
  type Outcome,
  type SourceEvent,
  type SourceId,
  type SyncResult,
} from '@counterpart/sync-model';
import type { Operation } from './operation.js';
import type { Outgoing } from './outgoing.js';

export interface Verdict {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly evidence: EvidenceClass;
  readonly externalId: ExternalId | null;
}

/** The public statement of how an operation stands; `version` is the one it gets with this result. */
export const operationResult = (
  operation: Operation,
  verdict: Verdict,
  occurredAtMs: number,
): Outgoing => ({
  topic: 'counterpart.sync-results.v1',
  traceparent: operation.traceparent,
  value: {
    ...verdict,
    messageId: hash128(`result|${operation.operationId}|${operation.version + 1}`),
    tenantId: operation.tenantId,
    entityId: operation.entityId,
    entityType: operation.recordType,
    operationId: operation.operationId,
    operationVersion: operation.version + 1,
    eventKey: operation.eventKey,
    originSourceId: operation.originSourceId,
    targetSourceId: operation.sourceId,
    recordType: operation.recordType,
    attempts: operation.attempts,
    occurredAtMs,
  },
});

/** The statement of how an event ended at a target where no operation of its own told it. */
export const eventResult = (
  event: SourceEvent,
  verdict: Verdict,
  about: {
    readonly entityId: EntityId;
    readonly targetSourceId: SourceId;
    readonly operationId: OperationId;
    readonly attempts: number;
    readonly traceparent: string | null;
    readonly nowMs: number;
  },
): Outgoing => {
  const value: SyncResult = {
    ...verdict,
    messageId: hash128(`result|${about.operationId}|1|${verdict.outcome}`),
    tenantId: event.tenantId,
    entityId: about.entityId,
    entityType: event.recordType,
    operationId: about.operationId,
    operationVersion: 1,
    eventKey: event.eventKey,
    originSourceId: event.sourceId,
    targetSourceId: about.targetSourceId,
    recordType: event.recordType,
    attempts: about.attempts,
    occurredAtMs: about.nowMs,
  };
  return { topic: 'counterpart.sync-results.v1', value, traceparent: about.traceparent };
};
