import { recordKey, type TenantId } from '@counterpart/sync-model';
import { DbError, retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import type { HeldLane, IdentityStore } from '../../application/ports.js';
import type { IdentityRequest, IdentitySnapshot } from '../../domain/identity-snapshot.js';
import { IdentityRace, saveChanges } from './identity-changes.js';
import {
  entitySql,
  mappingColumns,
  toEntity,
  toMapping,
  type EntityRow,
  type MappingRow,
} from './identity-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';

/** Times a batch is decided anew because another worker was first with one of its keys. */
const racesMax = 8;

/** The identity graph in PostgreSQL. */
export const createIdentityStore = (db: Db, save: SaveOutgoing): IdentityStore => ({
  async known({ tenantId, records }) {
    const rows = await readRecords(db, tenantId, records);
    return new Map(rows.map((row) => [keyOfRow(tenantId, row), toMapping(row)]));
  },
  async transact(request, lanes, decide) {
    for (let race = 1; ; race += 1) {
      try {
        return await retryTransaction(db, async (tx) => {
          const held = await holdLanes(tx, lanes);
          const { changes, result } = decide(await loadSnapshot(tx, request), held);
          await saveChanges(tx, request.tenantId, changes, save);
          return result;
        });
      } catch (error) {
        if (!isRace(error) || race >= racesMax) throw error;
      }
    }
  },
});

/** Losing the race shows as a missing insert, or as the unique index that enforces the same. */
const isRace = (error: unknown): boolean =>
  error instanceof IdentityRace || (error instanceof DbError && error.code === '23505');

const keyOfRow = (tenantId: TenantId, row: MappingRow): string => {
  const { sourceId, recordType, externalId } = toMapping(row);
  return recordKey({ tenantId, sourceId, recordType, externalId });
};

const readRecords = (
  db: Pick<Db, 'query'>,
  tenantId: TenantId,
  records: IdentityRequest['records'],
): Promise<MappingRow[]> =>
  records.length === 0
    ? Promise.resolve([])
    : db.query<MappingRow>(recordsSql, [
        tenantId,
        records.map(({ sourceId }) => sourceId),
        records.map(({ recordType }) => recordType),
        records.map(({ externalId }) => externalId),
      ]);

const recordsSql = `
select ${mappingColumns('m')}
  from (select distinct * from unnest($2::text[], $3::text[], $4::text[]) as r(source_id, record_type, external_id)) r
 cross join lateral (
   select * from sync.mappings m
    where m.tenant_id = $1 and m.source_id = r.source_id and m.record_type = r.record_type
      and m.external_id = r.external_id
 ) m`;

const keysSql = `
select k.key_hash, k.entity_id
  from (select distinct * from unnest($2::text[], $3::uuid[]) as r(entity_type, key_hash)) r
 cross join lateral (
   select * from sync.match_keys k
    where k.tenant_id = $1 and k.entity_type = r.entity_type and k.key_hash = r.key_hash
 ) k`;

const allKeysSql = `
select key_hash, entity_id from sync.match_keys where tenant_id = $1 and entity_id = any($2::uuid[])`;

/** Follows merges; one lock order for all workers, so two batches cannot block each other. */
const lockEntitiesSql = `
with recursive reached as (
  select entity_id, merged_into from sync.entities where tenant_id = $1 and entity_id = any($2::uuid[])
  union
  select e.entity_id, e.merged_into
    from reached r join sync.entities e on e.tenant_id = $1 and e.entity_id = r.merged_into
)
select ${entitySql} from sync.entities
 where tenant_id = $1 and entity_id in (select entity_id from reached)
 order by entity_id for update`;

const mappingsSql = `
select ${mappingColumns('m')} from sync.mappings m
 where m.tenant_id = $1 and m.entity_id = any($2::uuid[])
 order by m.source_id, m.record_type, m.external_id for update`;

/**
 * The lanes that are still ours, by id. Sharing their rows keeps them so until we have committed: a
 * worker that was paused past its lease must not decide upon what its successor decides, too.
 */
const holdLanesSql = `
select l.lane_id
  from unnest($1::text[], $2::uuid[], $3::bigint[]) as h(tenant_id, lane_id, epoch)
  join sync.lanes l on l.tenant_id = h.tenant_id and l.lane_id = h.lane_id and l.epoch = h.epoch
 order by l.tenant_id, l.lane_id
   for share of l`;

const holdLanes = async (tx: Tx, lanes: readonly HeldLane[]): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ lane_id: string }>(holdLanesSql, [
    lanes.map(({ tenantId }) => tenantId),
    lanes.map(({ laneId }) => laneId),
    lanes.map(({ epoch }) => epoch),
  ]);
  return new Set(rows.map(({ lane_id }) => lane_id));
};

const sendingSql = `
select source_id, record_type, entity_id, claim_key, greatest(lease_until, coalesce(settle_at, lease_until)) as until_at
  from sync.claims where tenant_id = $1 and source_id = any($2::text[]) and state = 'sending'`;

/**
 * Claims are read first: a request that settles while we read has either its claim here, or its
 * record in what is read after.
 */
const loadSnapshot = async (tx: Tx, request: IdentityRequest): Promise<IdentitySnapshot> => {
  const { tenantId } = request;
  const sending = await tx.query<SendingRow>(sendingSql, [tenantId, request.origins]);
  const records = await readRecords(tx, tenantId, request.records);
  const keys = await tx.query<{ key_hash: string; entity_id: string }>(keysSql, [
    tenantId,
    request.keys.map(({ entityType }) => entityType),
    request.keys.map(({ keyHash }) => keyHash),
  ]);
  const entityIds = [...new Set([...records, ...keys].map(({ entity_id }) => entity_id))];
  const entities = await tx.query<EntityRow>(lockEntitiesSql, [tenantId, entityIds]);
  const lockedIds = entities.map(({ entity_id }) => entity_id);
  const mappings = await tx.query<MappingRow>(mappingsSql, [tenantId, lockedIds]);
  const moreKeys = request.withAllKeys
    ? await tx.query<{ key_hash: string; entity_id: string }>(allKeysSql, [tenantId, lockedIds])
    : [];
  // Read again under the entity locks: a record may have been linked while we waited for one.
  const fresh = new Map(mappings.map((row) => [keyOfRow(tenantId, row), toMapping(row)]));
  for (const row of records) {
    const key = keyOfRow(tenantId, row);
    if (!fresh.has(key)) fresh.set(key, toMapping(row));
  }
  return {
    records: fresh,
    keys: new Map([...keys, ...moreKeys].map((row) => [row.key_hash, row.entity_id as never])),
    entities: new Map(entities.map((row) => [row.entity_id as never, toEntity(row)])),
    mappings: mappings.map(toMapping),
    sending: sending.map((row) => ({
      sourceId: row.source_id as never,
      recordType: row.record_type,
      entityId: row.entity_id as never,
      claimKey: row.claim_key,
      untilMs: row.until_at.getTime(),
    })),
  };
};

interface SendingRow {
  readonly source_id: string;
  readonly record_type: string;
  readonly entity_id: string;
  readonly claim_key: string;
  readonly until_at: Date;
}
