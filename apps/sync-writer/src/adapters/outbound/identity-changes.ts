import type { TenantId } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { IdentityChanges, KeyMove, MappingChange } from '../../domain/identity-snapshot.js';
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
  await saveMappings(
    tx,
    tenantId,
    changes.mappings.filter((mapping) => !isLinked(mapping)),
  );
  await saveMappings(tx, tenantId, changes.mappings.filter(isLinked));
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

const mappingRowsSql = `unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[], $9::text[], $10::boolean[], $11::uuid[])
  as n(source_id, record_type, external_id, entity_id, status, origin, base, version_token, exclusive, taken_from)`;

const insertMappingsSql = `
insert into sync.mappings (tenant_id, source_id, record_type, external_id, entity_id, status, origin, base, version_token, exclusive)
select $1, source_id, record_type, external_id, entity_id, status, origin, base, version_token, exclusive
  from ${mappingRowsSql} where taken_from is null
on conflict (tenant_id, source_id, record_type, external_id) do nothing
returning 1`;

const updateMappingsSql = `
update sync.mappings m
   set entity_id = n.entity_id, status = n.status, base = n.base, version_token = n.version_token, updated_at = now()
  from ${mappingRowsSql}
 where m.tenant_id = $1 and m.source_id = n.source_id and m.record_type = n.record_type
   and m.external_id = n.external_id and m.entity_id = n.taken_from
returning 1`;

/**
 * Inserts or changes records of the graph. A record that a settled write linked in the meantime is
 * never taken from its entity: it is no longer as the snapshot showed it, so the batch decides again.
 */
const saveMappings = async (
  tx: Tx,
  tenantId: TenantId,
  mappings: readonly MappingChange[],
): Promise<void> => {
  if (mappings.length === 0) return;
  // Sorted, so that two batches lock in one order.
  const sorted = [...mappings].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const rows = [
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
    sorted.map(({ takenFrom }) => takenFrom),
  ];
  const updated = await tx.query(updateMappingsSql, rows);
  const inserted = await tx.query(insertMappingsSql, rows);
  if (updated.length + inserted.length < mappings.length)
    throw new IdentityRace('a record was linked meanwhile');
};

const orderOf = ({ sourceId, recordType, externalId }: Mapping): string =>
  `${sourceId}\u001f${recordType}\u001f${externalId}`;
