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
 * Per field what was meant; then, where it differs, what was stored; when our last write was sent
 * (ms); and `true` while contested. A lone fingerprint stands without brackets.
 */
type StoredField = string | readonly (string | number | true)[];
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
  const parts = typeof value === 'string' ? [value] : value;
  const prints = parts.filter((part): part is Fingerprint => typeof part === 'string');
  const [meant, stored = meant] = prints;
  if (meant === undefined || stored === undefined) throw new TypeError('a base without a value');
  const writtenAtMs = parts.find((part) => typeof part === 'number');
  return {
    meant,
    stored,
    ...(writtenAtMs === undefined ? {} : { writtenAtMs }),
    ...(parts.includes(true) ? { contested: true } : {}),
  };
};

export const toStoredBase = (base: Base): StoredBase =>
  Object.fromEntries(Object.entries(base).map(([field, value]) => [field, toStored(value)]));

const toStored = ({ meant, stored, writtenAtMs, contested }: FieldBase): StoredField => {
  const more = [
    ...(stored === meant ? [] : [stored]),
    ...(writtenAtMs === undefined ? [] : [writtenAtMs]),
    ...(contested ? [contested] : []),
  ];
  return more.length === 0 ? meant : [meant, ...more];
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
