import type { Clock, EntityId, EventKey, Random, SourceId } from '@counterpart/sync-model';
import { retryTransaction, type Db } from '@counterpart/platform-postgres';
import type { ToldAt, WriteStore } from '../../application/ports.js';
import { claimNeeds } from './claim-needs.js';
import { releaseUnsent } from './release-claims.js';
import { mappingColumns, toMapping, type MappingRow } from './identity-rows.js';
import { requestOf } from './meet-holders.js';
import { operationSql, toOperation, type OperationRow } from './operation-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';
import { settleWrites } from './settle-writes.js';
import { takeLost } from './take-lost.js';

/** Claims, operations and the mappings of targets in PostgreSQL. */
export const createWriteStore = (ports: {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly instanceId: string;
  readonly save: SaveOutgoing;
}): WriteStore => ({
  claim: (requests, decide) =>
    retryTransaction(ports.db, (tx) => claimNeeds(tx, requests, decide, ports)),

  async markSending(sends) {
    const rows = await ports.db.query<{ token: string }>(markSendingSql, [
      sends.map(({ tenantId }) => tenantId),
      sends.map(({ token }) => token),
      sends.map(({ leaseMs }) => leaseMs),
      sends.map(({ settleMs }) => settleMs),
      sends.map(({ entityVersion }) => entityVersion),
    ]);
    return new Set(rows.map(({ token }) => token));
  },

  release: (claims) => releaseUnsent(ports.db, claims),

  settle: (settlements) =>
    retryTransaction(ports.db, (tx) => settleWrites(tx, settlements, ports.save)),

  async toldAt(tenantId, eventKeys) {
    const rows = await ports.db.query<ToldRow>(
      `select event_key, source_id, entity_id from sync.operations
        where tenant_id = $1 and event_key = any($2::uuid[]) and version > 0`,
      [tenantId, eventKeys],
    );
    const told = new Map<EventKey, ToldAt[]>();
    for (const { event_key, source_id, entity_id } of rows)
      told.set(event_key, [
        ...(told.get(event_key) ?? []),
        { target: source_id, entityId: entity_id },
      ]);
    return told;
  },

  takeLost: (limit) => takeLost(ports.db, limit, ports.instanceId),

  async statedOperation(tenantId, { operationId, operationVersion }) {
    const rows = await ports.db.query<StatedRow>(statedSql, [
      tenantId,
      operationId,
      operationVersion,
    ]);
    const row = rows[0];
    if (row === undefined) return null;
    const operation = toOperation(row);
    const request = requestOf(row);
    if (row.token === null || row.claim_key === null || request === null)
      return { operation, open: null };
    const { token, claim_key: claimKey } = row;
    const mappings = await ports.db.query<MappingRow>(ownMappingSql, [
      tenantId,
      row.source_id,
      row.record_type,
      row.external_id,
      row.entity_id,
    ]);
    const mapping = mappings[0] === undefined ? null : toMapping(mappings[0]);
    return { operation, open: { token, claimKey, request, mapping } };
  },
});

/**
 * One statement: the claims that are still ours, of entities as they were, become `sending`, and
 * their operations are attempted.
 */
const markSendingSql = `
with sends as (
  select * from unnest($1::text[], $2::uuid[], $3::float8[], $4::float8[], $5::bigint[])
    as s(tenant_id, token, lease_ms, settle_ms, entity_version)
), marked as (
  update sync.claims c
     set state = 'sending', sent_at = now(),
         lease_until = now() + s.lease_ms * interval '1 millisecond',
         settle_at = now() + s.settle_ms * interval '1 millisecond'
    from sends s
   where c.tenant_id = s.tenant_id and c.token = s.token and c.state = 'claimed'
     -- By its key for each row: as a join, without statistics, versions would be matched first.
     and s.entity_version = (select e.version from sync.entities e
                              where e.tenant_id = c.tenant_id and e.entity_id = c.entity_id)
  returning c.tenant_id, c.operation_id, c.token
), attempted as (
  update sync.operations o set state = 'attempting', attempts = o.attempts + 1, updated_at = now()
    from marked m
   where o.tenant_id = m.tenant_id and o.operation_id = m.operation_id
)
select token from marked`;

interface ToldRow {
  readonly event_key: EventKey;
  readonly source_id: SourceId;
  readonly entity_id: EntityId;
}

interface StatedRow extends OperationRow {
  readonly token: string | null;
  readonly claim_key: string | null;
  readonly sent_at: Date | null;
  readonly settle_at: Date | null;
}

const statedSql = `
select ${operationSql('o')}, c.token, c.claim_key, c.sent_at, c.settle_at
  from sync.operations o
  left join sync.claims c
    on c.tenant_id = o.tenant_id and c.operation_id = o.operation_id and c.state = 'sending'
   and o.version = $3 and o.state = 'unknown'
 where o.tenant_id = $1 and o.operation_id = $2`;

/** What was known of the record that an update was sent to. */
const ownMappingSql = `
select ${mappingColumns('m')} from sync.mappings m
 where m.tenant_id = $1 and m.source_id = $2 and m.record_type = $3 and m.external_id = $4 and m.entity_id = $5`;
