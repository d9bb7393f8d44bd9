import type { TenantId } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { IdentityChanges, KeyMove } from '../../domain/identity-snapshot.js';
import type { Outgoing } from '../../domain/outgoing.js';
import type { Entity, Mapping } from '../../domain/work.js';
import { toStoredBase, toStoredProvenance } from './identity-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';

/** Another worker inserted one of our match keys or records first: decide again. */
export class IdentityRace extends Error {
  override readonly name = 'IdentityRace';
}

/** Saves what a batch decided. Match keys go first: they are what two workers race for. */
export const saveChanges = async (
  tx: Tx,
  tenantId: TenantId,
  changes: IdentityChanges,
  save: SaveOutgoing,
): Promise<void> => {
  await insertKeys(
    tx,
    tenantId,
    changes.keys.filter(({ how }) => how === 'insert'),
  );
  await moveKeys(
    tx,
    tenantId,
    changes.keys.filter(({ how }) => how === 'move'),
  );
  await writeEntities(tx, tenantId, changes.newEntities, insertEntitiesSql);
  await writeEntities(tx, tenantId, changes.entities, updateEntitiesSql);
  // Records that stop being the live one make room before another takes their place.
  const isLinked = ({ status }: Mapping) => status === 'linked';
  await upsertMappings(
    tx,
    tenantId,
    changes.mappings.filter((mapping) => !isLinked(mapping)),
  );
  await upsertMappings(tx, tenantId, changes.mappings.filter(isLinked));
  await save(tx, messagesOf(changes));
};

const messagesOf = (changes: IdentityChanges): readonly Outgoing[] => [
  ...changes.entityChanges.map(({ traceparent, ...value }): Outgoing => ({
    topic: 'counterpart.entity-changes.v1',
    value,
    traceparent,
  })),
  ...changes.mappingMessages.map(({ traceparent, ...value }): Outgoing => ({
    topic: 'counterpart.mappings.v1',
    value,
    traceparent,
  })),
];

const insertKeys = async (tx: Tx, tenantId: TenantId, keys: readonly KeyMove[]): Promise<void> => {
  if (keys.length === 0) return;
  const sorted = [...keys].sort((a, b) => (a.keyHash < b.keyHash ? -1 : 1));
  const inserted = await tx.query(
    `insert into sync.match_keys (tenant_id, entity_type, key_hash, entity_id)
     select $1, * from unnest($2::text[], $3::uuid[], $4::uuid[])
     on conflict (tenant_id, entity_type, key_hash) do nothing
     returning key_hash`,
    keyParams(tenantId, sorted),
  );
  if (inserted.length < keys.length) throw new IdentityRace('a match key was taken meanwhile');
};

const moveKeys = async (tx: Tx, tenantId: TenantId, keys: readonly KeyMove[]): Promise<void> => {
  if (keys.length === 0) return;
  await tx.query(
    `update sync.match_keys k set entity_id = m.entity_id
       from unnest($2::text[], $3::uuid[], $4::uuid[]) as m(entity_type, key_hash, entity_id)
      where k.tenant_id = $1 and k.entity_type = m.entity_type and k.key_hash = m.key_hash`,
    keyParams(tenantId, keys),
  );
};

const keyParams = (tenantId: TenantId, keys: readonly KeyMove[]): unknown[] => [
  tenantId,
  keys.map(({ entityType }) => entityType),
  keys.map(({ keyHash }) => keyHash),
  keys.map(({ entityId }) => entityId),
];

const entityRowsSql = `unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::jsonb[], $8::jsonb[])`;

const insertEntitiesSql = `
insert into sync.entities (tenant_id, entity_id, entity_type, status, merged_into, version, fields, provenance)
select $1, * from ${entityRowsSql}`;

const updateEntitiesSql = `
update sync.entities e
   set status = n.status, merged_into = n.merged_into, version = n.version, fields = n.fields,
       provenance = n.provenance, updated_at = now()
  from ${entityRowsSql} as n(entity_id, entity_type, status, merged_into, version, fields, provenance)
 where e.tenant_id = $1 and e.entity_id = n.entity_id`;

const writeEntities = async (
  tx: Tx,
  tenantId: TenantId,
  entities: readonly Entity[],
  sql: string,
): Promise<void> => {
  if (entities.length === 0) return;
  await tx.query(sql, [
    tenantId,
    entities.map(({ entityId }) => entityId),
    entities.map(({ entityType }) => entityType),
    entities.map(({ status }) => status),
    entities.map(({ mergedInto }) => mergedInto),
    entities.map(({ version }) => version),
    entities.map(({ fields }) => JSON.stringify(fields)),
    entities.map(({ provenance }) => JSON.stringify(toStoredProvenance(provenance))),
  ]);
};

/** A row that says the same is left alone: no new version of it, no index touched. */
const upsertMappingsSql = `
insert into sync.mappings (tenant_id, source_id, record_type, external_id, entity_id, status, origin, base, version_token, exclusive)
select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[], $9::text[], $10::boolean[])
on conflict (tenant_id, source_id, record_type, external_id) do update
   set entity_id = excluded.entity_id, status = excluded.status, base = excluded.base,
       version_token = excluded.version_token, updated_at = now()
 where (sync.mappings.entity_id, sync.mappings.status, sync.mappings.base)
       is distinct from (excluded.entity_id, excluded.status, excluded.base)`;

/** Inserts or updates records of the graph; sorted, so that two batches lock in one order. */
export const upsertMappings = async (
  tx: Tx,
  tenantId: TenantId,
  mappings: readonly Mapping[],
): Promise<void> => {
  if (mappings.length === 0) return;
  const sorted = [...mappings].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  await tx.query(upsertMappingsSql, [
    tenantId,
    sorted.map(({ sourceId }) => sourceId),
    sorted.map(({ recordType }) => recordType),
    sorted.map(({ externalId }) => externalId),
    sorted.map(({ entityId }) => entityId),
    sorted.map(({ status }) => status),
    sorted.map(({ origin }) => origin),
    sorted.map(({ base }) => JSON.stringify(toStoredBase(base))),
    sorted.map(({ versionToken }) => versionToken),
    sorted.map(({ exclusive }) => exclusive),
  ]);
};

const orderOf = ({ sourceId, recordType, externalId }: Mapping): string =>
  `${sourceId}\u001f${recordType}\u001f${externalId}`;
