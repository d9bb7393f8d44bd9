import {
  asEntityId,
  asExternalId,
  asOperationId,
  asSourceId,
  asTenantId,
  type Fields,
} from '@counterpart/sync-model';
import type { Readback } from '../../domain/readback.js';

export interface ReadbackRow {
  readonly tenant_id: string;
  readonly operation_id: string;
  readonly operation_version: number;
  readonly source_id: string;
  readonly provider: string;
  readonly record_type: string;
  readonly entity_id: string;
  readonly action: 'create' | 'update';
  readonly external_id: string | null;
  readonly marker: string;
  readonly fields: Fields;
  readonly settle_at: Date;
  readonly attempts: number;
  readonly traceparent: string | null;
}

/** The columns of a readback as the domain knows it, of the table named `r`. */
export const readbackColumns = `r.tenant_id, r.operation_id, r.operation_version, r.source_id,
  r.provider, r.record_type, r.entity_id, r.action, r.external_id, r.marker, r.fields, r.settle_at,
  r.attempts, r.traceparent`;

export const toReadback = (row: ReadbackRow): Readback => ({
  tenantId: asTenantId(row.tenant_id),
  operationId: asOperationId(row.operation_id),
  operationVersion: row.operation_version,
  sourceId: asSourceId(row.source_id),
  provider: row.provider,
  recordType: row.record_type,
  entityId: asEntityId(row.entity_id),
  action: row.action,
  externalId: row.external_id === null ? null : asExternalId(row.external_id),
  marker: row.marker,
  fields: row.fields,
  settleAtMs: row.settle_at.getTime(),
  attempts: row.attempts,
  traceparent: row.traceparent,
});
