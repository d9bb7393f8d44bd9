import type { Clock, SyncOperation, TenantId } from '@counterpart/sync-model';
import { retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import type { LaneEnding, LaneStore } from '../../application/ports.js';
import type { WorkItem } from '../../domain/work.js';
import type { SaveOutgoing } from './save-outgoing.js';

/**
 * Lanes: who works on which record's queue.
 *
 *   idle ──work arrives──▶ open, due ──taken──▶ open, owned until due_at ──▶ idle | open, due later
 *
 * An owned lane is simply one that is due when its lease ends, so a dead owner needs no sweeper.
 * `epoch` grows with every taking: an owner that was paused past its lease finds another epoch and
 * changes nothing. `arrived_seq` lives in the lane's own row so that an arrival and an ending that
 * meet on the row lock see each other, whichever comes second.
 */
export const createLaneStore = (ports: {
  readonly db: Db;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly leaseMs: number;
  readonly save: SaveOutgoing;
}): LaneStore => ({
  take: (question) => takeLanes(ports.db, ports, question),
  finish: (endings) =>
    retryTransaction(ports.db, async (tx) => {
      const settled = await settleLanes(
        tx,
        endings.flatMap((ending) => (ending.kind === 'settled' ? [ending] : [])),
      );
      await deferLanes(
        tx,
        endings.flatMap((ending) => (ending.kind === 'deferred' ? [ending] : [])),
      );
      await ports.save(
        tx,
        settled.flatMap(({ messages }) => messages),
      );
    }),
  renew: async (lanes) => {
    if (lanes.length === 0) return;
    await ports.db.query(renewSql, [
      lanes.map(({ tenantId }) => tenantId),
      lanes.map(({ laneId }) => laneId),
      lanes.map(({ epoch }) => epoch),
      ports.leaseMs,
    ]);
  },
});

/** Tenants with due lanes by a loose index scan; of each a few lanes, live ones first. */
const takeSql = `
with recursive tenants as (
  (select tenant_id from sync.lanes where state = 'open' order by tenant_id limit 1)
  union all
  select (select l.tenant_id from sync.lanes l
           where l.state = 'open' and l.tenant_id > t.tenant_id order by l.tenant_id limit 1)
    from tenants t where t.tenant_id is not null
), candidates as (
  select c.tenant_id, c.lane_id, c.turn
    from tenants t
    cross join lateral (
      select l.tenant_id, l.lane_id, row_number() over (order by l.backfill, l.due_at) as turn
        from sync.lanes l
       where l.state = 'open' and l.tenant_id = t.tenant_id and l.due_at <= now()
       order by l.backfill, l.due_at
       limit $1
    ) c
   where t.tenant_id is not null and t.tenant_id <> all($2::text[])
), picked as (
  select l.tenant_id, l.lane_id
    from sync.lanes l
    join (select * from candidates order by turn limit $3) c
      on c.tenant_id = l.tenant_id and c.lane_id = l.lane_id
   where l.state = 'open' and l.due_at <= now()
     for update of l skip locked
), taken as (
  update sync.lanes l
     set owner = $4, epoch = l.epoch + 1, due_at = now() + $5 * interval '1 millisecond', waiting_on = null
    from picked p
   where l.tenant_id = p.tenant_id and l.lane_id = p.lane_id
  returning l.tenant_id, l.lane_id, l.epoch, l.attempts, l.first_failed_at
)
select t.tenant_id, t.lane_id, t.epoch::text as epoch, t.attempts, t.first_failed_at,
       head.seq::text as seq, head.payload, head.traceparent
  from taken t
 cross join lateral (
   select i.seq, i.payload, i.traceparent from sync.inbox i
    where i.tenant_id = t.tenant_id and i.lane_id = t.lane_id and i.settled_at is null
    order by i.seq limit 1
 ) head`;

/** Lanes of one round, over all tenants. */
const takenMax = 800;

interface TakenRow {
  readonly tenant_id: string;
  readonly lane_id: string;
  readonly epoch: string;
  readonly seq: string;
  readonly attempts: number;
  readonly first_failed_at: Date | null;
  readonly payload: SyncOperation;
  readonly traceparent: string | null;
}

const takeLanes = async (
  db: Db,
  ports: { readonly instanceId: string; readonly leaseMs: number },
  question: { readonly limit: number; readonly busy: readonly TenantId[] },
): Promise<readonly WorkItem[]> => {
  const rows = await db.query<TakenRow>(takeSql, [
    question.limit,
    question.busy,
    takenMax,
    ports.instanceId,
    ports.leaseMs,
  ]);
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    laneId: row.lane_id,
    epoch: row.epoch,
    seq: row.seq,
    attempts: row.attempts,
    firstFailedAtMs: row.first_failed_at?.getTime() ?? null,
    operation: row.payload,
    traceparent: row.traceparent,
  }));
};

const renewSql = `
update sync.lanes l set due_at = now() + $4 * interval '1 millisecond'
  from unnest($1::text[], $2::uuid[], $3::bigint[]) as h(tenant_id, lane_id, epoch)
 where l.tenant_id = h.tenant_id and l.lane_id = h.lane_id and l.epoch = h.epoch and l.owner is not null`;

const settleSql = `
with ended as (
  select * from unnest($1::text[], $2::uuid[], $3::bigint[], $4::bigint[]) as e(tenant_id, lane_id, epoch, seq)
), lanes as (
  update sync.lanes l
     set settled_seq = e.seq, attempts = 0, first_failed_at = null, waiting_on = null, owner = null,
         state = case when l.arrived_seq > e.seq then 'open' else 'idle' end,
         due_at = now()
    from ended e
   where l.tenant_id = e.tenant_id and l.lane_id = e.lane_id and l.epoch = e.epoch
  returning l.tenant_id, l.lane_id
), heads as (
  update sync.inbox i set settled_at = now()
    from ended e join lanes l using (tenant_id, lane_id)
   where i.tenant_id = e.tenant_id and i.lane_id = e.lane_id and i.seq = e.seq and i.settled_at is null
)
select lane_id from lanes`;

/**
 * A lane must not begin to wait for a claim that is being settled, or nobody would wake it. Sharing
 * the claim's row makes the settling wait for us, or us for it; a claim that is then gone leaves
 * nothing to wait for, and the lane is due at once.
 */
const shareClaimsSql = `
select 1 from sync.claims c
 where c.tenant_id = any($1::text[]) and c.claim_key = any($2::uuid[])
 order by c.tenant_id, c.source_id, c.record_type, c.entity_id
   for key share`;

const deferSql = `
update sync.lanes l
   set owner = null,
       waiting_on = e.waiting_on,
       due_at = case
         when e.waiting_on is not null
          and not exists (select 1 from sync.claims c where c.tenant_id = e.tenant_id and c.claim_key = e.waiting_on)
         then now() else to_timestamp(e.due_at_ms / 1000.0) end,
       attempts = l.attempts + e.counts::int,
       first_failed_at = case when e.counts then coalesce(l.first_failed_at, now()) else l.first_failed_at end
  from unnest($1::text[], $2::uuid[], $3::bigint[], $4::float8[], $5::uuid[], $6::boolean[])
       as e(tenant_id, lane_id, epoch, due_at_ms, waiting_on, counts)
 where l.tenant_id = e.tenant_id and l.lane_id = e.lane_id and l.epoch = e.epoch`;

type Settled = Extract<LaneEnding, { kind: 'settled' }>;
type Deferred = Extract<LaneEnding, { kind: 'deferred' }>;

/** Answers the endings of lanes that were still ours; the others belong to another owner now. */
const settleLanes = async (tx: Tx, endings: readonly Settled[]): Promise<readonly Settled[]> => {
  if (endings.length === 0) return [];
  const rows = await tx.query<{ lane_id: string }>(settleSql, [
    endings.map(({ tenantId }) => tenantId),
    endings.map(({ laneId }) => laneId),
    endings.map(({ epoch }) => epoch),
    endings.map(({ seq }) => seq),
  ]);
  const mine = new Set(rows.map(({ lane_id }) => lane_id));
  return endings.filter(({ laneId }) => mine.has(laneId));
};

const deferLanes = async (tx: Tx, endings: readonly Deferred[]): Promise<void> => {
  if (endings.length === 0) return;
  const waiting = endings.filter(({ waitingOn }) => waitingOn !== null);
  if (waiting.length > 0)
    await tx.query(shareClaimsSql, [
      [...new Set(waiting.map(({ tenantId }) => tenantId))],
      waiting.map(({ waitingOn }) => waitingOn),
    ]);
  await tx.query(deferSql, [
    endings.map(({ tenantId }) => tenantId),
    endings.map(({ laneId }) => laneId),
    endings.map(({ epoch }) => epoch),
    endings.map(({ dueAtMs }) => dueAtMs),
    endings.map(({ waitingOn }) => waitingOn),
    endings.map(({ counts }) => counts),
  ]);
};
