import type { EntityId } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { Committed, Refusal } from '../../application/ports.js';
import type { Settlement } from '../../domain/operation.js';
import type { Outgoing } from '../../domain/outgoing.js';
import { recordTaken } from '../../domain/settle-write.js';
import type { Mapping } from '../../domain/work.js';
import { toStoredBase } from './identity-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';

/**
 * Commits how writes ended: claim, mapping, operation, messages and the waking of those who waited,
 * in one transaction. The token is the fence: a holder that was overtaken finds its claim under
 * another token and nothing of its ending is stored.
 */
export const settleWrites = async (
  tx: Tx,
  settlements: readonly Settlement[],
  save: SaveOutgoing,
): Promise<Committed> => {
  const refused = new Map<string, Refusal>();
  const held = await lockClaims(tx, settlements);
  const current = await unchanged(
    tx,
    settlements.filter(({ token }) => held.has(token)),
  );
  for (const { token } of settlements) if (!current.has(token)) refused.set(token, 'overtaken');
  const mine = await followMerges(
    tx,
    settlements.filter(({ token }) => current.has(token)),
  );
  await releaseClaims(
    tx,
    mine.filter(({ release }) => release),
  );
  const linked = await linkRecords(tx, mine);
  for (const { token, mapping } of mine)
    if (mapping !== null && !linked.has(token)) refused.set(token, 'mapped-elsewhere');
  await endOperations(tx, mine, refused);
  await wakeWaiters(
    tx,
    mine.filter(({ release }) => release),
  );
  await save(
    tx,
    mine.flatMap((settlement) => toldBy(settlement, refused)),
  );
  return { refused, outdated: await outdatedOf(tx, mine) };
};

/**
 * Asked after the records were linked: whoever changes an entity holds its records' rows, so a
 * change we do not see here sees what we have linked.
 */
const outdatedOf = async (
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ token: string }>(
    `select p.token
       from unnest($1::text[], $2::uuid[], $3::bigint[], $4::uuid[]) as p(tenant_id, entity_id, version, token)
       join sync.entities e on e.tenant_id = p.tenant_id and e.entity_id = p.entity_id
      where e.version <> p.version`,
    [
      settlements.map(({ operation }) => operation.tenantId),
      settlements.map(({ operation }) => operation.entityId),
      settlements.map(({ entityVersion }) => entityVersion),
      settlements.map(({ token }) => token),
    ],
  );
  return new Set(rows.map(({ token }) => token));
};

const toldBy = (
  { token, messages, ifTaken }: Settlement,
  refused: ReadonlyMap<string, Refusal>,
): Settlement['messages'] => (refused.has(token) ? ifTaken : messages);

/** Tokens that still hold their claims, locked in one order for all workers. */
const lockClaims = async (
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ token: string }>(
    `select c.token
       from unnest($1::text[], $2::uuid[]) as e(tenant_id, token)
       join sync.claims c on c.tenant_id = e.tenant_id and c.token = e.token
      order by c.tenant_id, c.source_id, c.record_type, c.entity_id
        for update of c`,
    [settlements.map(({ operation }) => operation.tenantId), settlements.map(({ token }) => token)],
  );
  return new Set(rows.map(({ token }) => token));
};

/**
 * Tokens whose operation is as it was when the ending was decided. Somebody may have named it
 * unknown in between, under the same claim; an ending told under a version that is taken would be
 * dropped as a repeat by everybody who listens.
 */
const unchanged = async (
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ token: string }>(
    `select e.token
       from unnest($1::text[], $2::uuid[], $3::int[], $4::uuid[]) as e(tenant_id, operation_id, version, token)
       join sync.operations o
         on o.tenant_id = e.tenant_id and o.operation_id = e.operation_id and o.version = e.version
      order by o.tenant_id, o.operation_id
        for update of o`,
    [
      settlements.map(({ operation }) => operation.tenantId),
      settlements.map(({ operation }) => operation.operationId),
      settlements.map(({ operation }) => operation.version),
      settlements.map(({ token }) => token),
    ],
  );
  return new Set(rows.map(({ token }) => token));
};

/**
 * An entity that was merged while its write was under way: the record is the survivor's. Its row is
 * shared so that nobody merges it between this look and our commit.
 */
const followMerges = async (
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<readonly Settlement[]> => {
  const linking = settlements.flatMap(({ mapping, operation }) =>
    mapping === null ? [] : [{ tenantId: operation.tenantId, entityId: mapping.entityId }],
  );
  if (linking.length === 0) return settlements;
  const rows = await tx.query<{ entity_id: EntityId; survivor: EntityId }>(survivorsSql, [
    linking.map(({ tenantId }) => tenantId),
    linking.map(({ entityId }) => entityId),
  ]);
  const survivors = new Map(rows.map(({ entity_id, survivor }) => [entity_id, survivor]));
  return settlements.map((settlement) => {
    const { mapping } = settlement;
    const survivor = mapping === null ? undefined : survivors.get(mapping.entityId);
    return mapping === null || survivor === undefined
      ? settlement
      : {
          ...settlement,
          mapping: { ...mapping, entityId: survivor },
          messages: settlement.messages.map((message) => ofEntity(message, survivor)),
        };
  });
};

const ofEntity = (message: Outgoing, entityId: EntityId): Outgoing =>
  message.topic === 'counterpart.mappings.v1'
    ? { ...message, value: { ...message.value, entityId } }
    : message;

const survivorsSql = `
with recursive asked as (
  select e.tenant_id, e.entity_id, e.merged_into
    from (select distinct * from unnest($1::text[], $2::uuid[]) as a(tenant_id, entity_id)) a
    join sync.entities e using (tenant_id, entity_id)
   order by e.tenant_id, e.entity_id
     for share of e
), chain as (
  select tenant_id, entity_id, merged_into as survivor from asked where merged_into is not null
  union
  select c.tenant_id, c.entity_id, e.merged_into
    from chain c join sync.entities e on e.tenant_id = c.tenant_id and e.entity_id = c.survivor
   where e.merged_into is not null
)
select distinct on (c.tenant_id, c.entity_id) c.entity_id, c.survivor
  from chain c join sync.entities e on e.tenant_id = c.tenant_id and e.entity_id = c.survivor
 where e.merged_into is null`;

const releaseClaims = async (tx: Tx, settlements: readonly Settlement[]): Promise<void> => {
  if (settlements.length === 0) return;
  await tx.query(
    `delete from sync.claims c using unnest($1::text[], $2::uuid[]) as e(tenant_id, token)
      where c.tenant_id = e.tenant_id and c.token = e.token`,
    [settlements.map(({ operation }) => operation.tenantId), settlements.map(({ token }) => token)],
  );
};

/**
 * Links the records that were written; answers the tokens whose record is theirs. Only the fields
 * of this write are laid over the base: a webhook may have told of others meanwhile.
 */
const linkRecords = async (
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> => {
  const links = settlements.flatMap(({ token, mapping, operation }) =>
    mapping === null ? [] : [{ token, mapping, operation }],
  );
  if (links.length === 0) return new Set();
  const rows = await tx.query<{ token: string }>(
    `with links as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[],
                            $8::text[], $9::uuid[])
         as l(tenant_id, source_id, record_type, external_id, entity_id, origin, base, version_token, token)
     ), ours as (
       select l.* from links l
        where not exists (
          select 1 from sync.mappings m
           where m.tenant_id = l.tenant_id and m.source_id = l.source_id and m.record_type = l.record_type
             and ((m.external_id = l.external_id and m.entity_id <> l.entity_id)
               or (m.entity_id = l.entity_id and m.external_id <> l.external_id and m.status = 'linked')))
     ), written as (
       insert into sync.mappings as m (tenant_id, source_id, record_type, external_id, entity_id, status, origin, base, version_token, exclusive)
       select tenant_id, source_id, record_type, external_id, entity_id, 'linked', origin, base, version_token, true
         from ours order by tenant_id, source_id, record_type, external_id
       on conflict (tenant_id, source_id, record_type, external_id) do update
          set base = m.base || excluded.base, version_token = excluded.version_token, updated_at = now()
        where m.entity_id = excluded.entity_id
       returning m.tenant_id, m.source_id, m.record_type, m.external_id
     )
     select o.token from ours o join written w using (tenant_id, source_id, record_type, external_id)`,
    [
      links.map(({ operation }) => operation.tenantId),
      links.map(({ mapping }) => mapping.sourceId),
      links.map(({ mapping }) => mapping.recordType),
      links.map(({ mapping }) => mapping.externalId),
      links.map(({ mapping }) => mapping.entityId),
      links.map(({ mapping }) => mapping.origin),
      links.map(({ mapping, operation }) =>
        JSON.stringify(
          toStoredBase(
            written(mapping, operation.action === 'create' ? null : Object.keys(operation.fields)),
          ),
        ),
      ),
      links.map(({ mapping }) => mapping.versionToken),
      links.map(({ token }) => token),
    ],
  );
  return new Set(rows.map(({ token }) => token));
};

const written = (mapping: Mapping, fields: readonly string[] | null): Mapping['base'] =>
  fields === null
    ? mapping.base
    : Object.fromEntries(Object.entries(mapping.base).filter(([field]) => fields.includes(field)));

const endOperations = async (
  tx: Tx,
  settlements: readonly Settlement[],
  refused: ReadonlyMap<string, Refusal>,
): Promise<void> => {
  if (settlements.length === 0) return;
  await tx.query(
    `update sync.operations o
        set state = e.state, outcome = e.outcome, reason = e.reason, version = o.version + e.told,
            external_id = coalesce(e.external_id, o.external_id), updated_at = now()
       from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[])
            as e(tenant_id, operation_id, state, outcome, reason, told, external_id)
      where o.tenant_id = e.tenant_id and o.operation_id = e.operation_id`,
    [
      settlements.map(({ operation }) => operation.tenantId),
      settlements.map(({ operation }) => operation.operationId),
      settlements.map(({ token, state }) => (refused.has(token) ? 'held' : state)),
      settlements.map(({ token, outcome }) => (refused.has(token) ? 'needs-review' : outcome)),
      settlements.map(({ token, reason }) => (refused.has(token) ? recordTaken : reason)),
      settlements.map((settlement) => (toldBy(settlement, refused).length === 0 ? 0 : 1)),
      settlements.map(({ mapping }) => mapping?.externalId ?? null),
    ],
  );
};

const wakeWaiters = async (tx: Tx, settlements: readonly Settlement[]): Promise<void> => {
  if (settlements.length === 0) return;
  await tx.query(
    `update sync.lanes l set due_at = now(), waiting_on = null
       from (select distinct * from unnest($1::text[], $2::uuid[]) as w(tenant_id, claim_key)) w
      where l.tenant_id = w.tenant_id and l.waiting_on = w.claim_key and l.state = 'open' and l.owner is null`,
    [
      settlements.map(({ operation }) => operation.tenantId),
      settlements.map(({ claimKey }) => claimKey),
    ],
  );
};
