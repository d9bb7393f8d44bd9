import type {
  EntityId,
  ExternalId,
  Fields,
  Fingerprint,
  MappingOrigin,
  MappingStatus,
  SourceId,
} from '@counterpart/sync-model';
import type {
  Base,
  Entity,
  EntityStatus,
  FieldBase,
  Mapping,
  Provenance,
} from '../../domain/work.js';

/**
 * Per field a lone fingerprint where nothing more is known, else: `m`eant, `s`tored where it differs,
 * `w`ritten by (ms), `c`ontested.
 */
type StoredField =
  | string
  | {
      readonly m: string;
      readonly s?: string;
      readonly w?: number;
      readonly c?: true;
    };
type StoredBase = Readonly<Record<string, StoredField>>;
type StoredProvenance = Readonly<Record<string, readonly [number, string, Provenance['standing']]>>;

export interface MappingRow {
  readonly source_id: string;
  readonly record_type: string;
  readonly external_id: string;
  readonly entity_id: string;
  readonly status: MappingStatus;
  readonly origin: MappingOrigin;
  readonly base: StoredBase;
  readonly version_token: string | null;
  readonly exclusive: boolean;
}

export const mappingColumns = (alias: string): string =>
  [
    'source_id',
    'record_type',
    'external_id',
    'entity_id',
    'status',
    'origin',
    'base',
    'version_token',
    'exclusive',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ');

export const toMapping = (row: MappingRow): Mapping => ({
  sourceId: row.source_id as SourceId,
  recordType: row.record_type,
  externalId: row.external_id as ExternalId,
  entityId: row.entity_id as EntityId,
  status: row.status,
  origin: row.origin,
  base: fromStoredBase(row.base),
  versionToken: row.version_token,
  exclusive: row.exclusive,
});

const fromStoredBase = (stored: StoredBase): Base =>
  Object.fromEntries(Object.entries(stored).map(([field, value]) => [field, fromStored(value)]));

const fromStored = (value: StoredField): FieldBase => {
  const { m, s = m, w, c } = typeof value === 'string' ? { m: value } : value;
  return {
    meant: m as Fingerprint,
    stored: s as Fingerprint,
    ...(w === undefined ? {} : { writtenAtMs: w }),
    ...(c === undefined ? {} : { contested: c }),
  };
};

export const toStoredBase = (base: Base): StoredBase =>
  Object.fromEntries(Object.entries(base).map(([field, value]) => [field, toStored(value)]));

const toStored = ({ meant, stored, writtenAtMs, contested }: FieldBase): StoredField => {
  const more = {
    ...(stored === meant ? {} : { s: stored }),
    ...(writtenAtMs === undefined ? {} : { w: writtenAtMs }),
    ...(contested ? { c: contested } : {}),
  };
  return Object.keys(more).length === 0 ? meant : { m: meant, ...more };
};

export interface EntityRow {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly status: EntityStatus;
  readonly merged_into: string | null;
  readonly version: number;
  readonly fields: Fields;
  readonly provenance: StoredProvenance;
}

export const entitySql = 'entity_id, entity_type, status, merged_into, version, fields, provenance';

export const toEntity = (row: EntityRow): Entity => ({
  entityId: row.entity_id as EntityId,
  entityType: row.entity_type,
  status: row.status,
  mergedInto: row.merged_into as EntityId | null,
  version: row.version,
  fields: row.fields,
  provenance: Object.fromEntries(
    Object.entries(row.provenance).map(([field, [atMs, sourceId, standing]]) => [
      field,
      { atMs, sourceId: sourceId as SourceId, standing },
    ]),
  ),
});

export const toStoredProvenance = (provenance: Entity['provenance']): StoredProvenance =>
  Object.fromEntries(
    Object.entries(provenance).map(([field, { atMs, sourceId, standing }]) => [
      field,
      [atMs, sourceId, standing],
    ]),
  );
