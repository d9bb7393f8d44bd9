import type {
  EntityId,
  EventKey,
  ExternalId,
  Fields,
  OperationId,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';
import type { Operation } from '../../domain/operation.js';

export interface OperationRow {
  readonly tenant_id: string;
  readonly operation_id: string;
  readonly action: Operation['action'];
  readonly source_id: string;
  readonly record_type: string;
  readonly entity_id: string;
  readonly external_id: string | null;
  readonly event_key: string;
  readonly origin_source_id: string;
  readonly fields: Fields;
  readonly attempts: number;
  readonly version: number;
  readonly state: Operation['state'];
  readonly traceparent: string | null;
}

export const operationSql = (alias: string): string =>
  [
    'tenant_id',
    'operation_id',
    'action',
    'source_id',
    'record_type',
    'entity_id',
    'external_id',
    'event_key',
    'origin_source_id',
    'fields',
    'attempts',
    'version',
    'state',
    'traceparent',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ');

export const toOperation = (row: OperationRow): Operation => ({
  tenantId: row.tenant_id as TenantId,
  operationId: row.operation_id as OperationId,
  action: row.action,
  sourceId: row.source_id as SourceId,
  recordType: row.record_type,
  entityId: row.entity_id as EntityId,
  externalId: row.external_id as ExternalId | null,
  eventKey: row.event_key as EventKey,
  originSourceId: row.origin_source_id as SourceId,
  fields: row.fields,
  attempts: row.attempts,
  version: row.version,
  state: row.state,
  traceparent: row.traceparent,
});
