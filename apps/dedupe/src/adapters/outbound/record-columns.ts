import type { RecordRef } from '@counterpart/sync-model';

/** A record's key as four array parameters for `unnest`. */
export const recordParams = (records: readonly RecordRef[]): readonly (readonly string[])[] => [
  records.map(({ tenantId }) => tenantId),
  records.map(({ sourceId }) => sourceId),
  records.map(({ recordType }) => recordType),
  records.map(({ externalId }) => externalId),
];

/** The columns of a record's key, in the order of `recordParams`. */
export const recordColumns = 'tenant_id, source_id, record_type, external_id';

export interface RecordRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly record_type: string;
  readonly external_id: string;
}

export const toRecordRef = (row: RecordRow): RecordRef =>
  ({
    tenantId: row.tenant_id,
    sourceId: row.source_id,
    recordType: row.record_type,
    externalId: row.external_id,
  }) as RecordRef;
