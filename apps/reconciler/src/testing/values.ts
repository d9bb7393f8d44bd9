import {
  asEntityId,
  asEventKey,
  asOperationId,
  asSourceId,
  asTenantId,
  type DeadLetter,
  type SyncResult,
  type UnknownOperation,
} from '@counterpart/sync-model';
import type { Readback } from '../domain/readback.js';

/** Values for specs: plain, and changed where a test says so. */
const ids = {
  tenantId: asTenantId('acme'),
  operationId: asOperationId('00000000-0000-0000-0000-0000000000a1'),
  entityId: asEntityId('00000000-0000-0000-0000-0000000000e1'),
};

export const aReadback = (change: Partial<Readback> = {}): Readback => ({
  ...ids,
  operationVersion: 1,
  sourceId: asSourceId('crm'),
  provider: 'hubspot',
  recordType: 'contact',
  action: 'create',
  externalId: null,
  marker: ids.entityId,
  fields: { email: 'ann@acme.test' },
  settleAtMs: 10_000,
  attempts: 0,
  traceparent: null,
  ...change,
});

export const anUnknown = (change: Partial<UnknownOperation> = {}): UnknownOperation => ({
  ...ids,
  messageId: 'unknown-1',
  sourceId: asSourceId('crm'),
  provider: 'hubspot',
  recordType: 'contact',
  operationVersion: 1,
  action: 'create',
  externalId: null,
  fields: { email: 'ann@acme.test' },
  marker: ids.entityId,
  sentAtMs: 1_000,
  settleAtMs: 10_000,
  ...change,
});

export const aResult = (change: Partial<SyncResult> = {}): SyncResult => ({
  ...ids,
  messageId: `result-${change.operationVersion ?? 1}-${change.outcome ?? 'unknown'}`,
  entityType: 'contact',
  operationVersion: 1,
  eventKey: asEventKey('00000000-0000-0000-0000-0000000000f1'),
  originSourceId: asSourceId('app'),
  targetSourceId: asSourceId('crm'),
  recordType: 'contact',
  externalId: null,
  outcome: 'unknown',
  reason: 'deadline',
  evidence: 'none',
  attempts: 1,
  occurredAtMs: 5_000,
  ...change,
});

export const aDeadLetter = (change: Partial<DeadLetter> = {}): DeadLetter => ({
  tenantId: ids.tenantId,
  messageId: 'dead-1',
  caseClass: 'conflict',
  service: 'dedupe',
  code: 'event-key-other-payload',
  detail: 'the same event came with another content',
  evidenceRef: 'dedupe:event_conflicts/1',
  occurredAtMs: 5_000,
  ...change,
});
