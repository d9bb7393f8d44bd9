import { fingerprintOfValue, hash128 } from '@counterpart/sync-model';
import type { RequestTimes } from './claim.js';
import type { Operation } from './operation.js';
import type { Outgoing } from './outgoing.js';
import type { Mapping } from './work.js';

/** For the reconciler: a write that may have happened, and how a readback can look for it. */
export const unknownOperation = (
  operation: Operation,
  world: { readonly request: RequestTimes; readonly provider: string },
): Outgoing => ({
  topic: 'counterpart.unknown-operations.v1',
  traceparent: operation.traceparent,
  value: {
    messageId: hash128(`unknown|${operation.operationId}|${operation.version + 1}`),
    tenantId: operation.tenantId,
    sourceId: operation.sourceId,
    provider: world.provider,
    recordType: operation.recordType,
    entityId: operation.entityId,
    operationId: operation.operationId,
    operationVersion: operation.version + 1,
    action: operation.action,
    externalId: operation.externalId,
    fields: operation.fields,
    marker: operation.entityId,
    ...world.request,
  },
});

/**
 * For dedupe: what the CRM stored for us, so that the webhooks it causes are recognised. Its time is
 * that of the request: an edit that came in while we waited for the answer is later than our write.
 */
export const writeMemory = (
  operation: Operation,
  mapping: Mapping,
  sentAtMs: number,
): Outgoing => ({
  topic: 'counterpart.write-memory.v1',
  traceparent: operation.traceparent,
  value: {
    tenantId: operation.tenantId,
    sourceId: mapping.sourceId,
    recordType: mapping.recordType,
    externalId: mapping.externalId,
    operationId: operation.operationId,
    kind: 'written',
    fields: Object.fromEntries(
      Object.entries(operation.fields).map(([field, value]) => [
        field,
        mapping.base[field]?.stored ?? fingerprintOfValue(value),
      ]),
    ),
    writtenAtMs: sentAtMs,
  },
});

/** For everybody: which entity a record belongs to. */
export const mappingMessage = (
  operation: Operation,
  mapping: Mapping,
  nowMs: number,
): Outgoing => ({
  topic: 'counterpart.mappings.v1',
  traceparent: operation.traceparent,
  value: {
    tenantId: operation.tenantId,
    sourceId: mapping.sourceId,
    recordType: mapping.recordType,
    externalId: mapping.externalId,
    entityId: mapping.entityId,
    entityType: operation.recordType,
    status: mapping.status,
    origin: mapping.origin,
    updatedAtMs: nowMs,
  },
});
