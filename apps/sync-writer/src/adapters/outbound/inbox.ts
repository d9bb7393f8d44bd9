import { hash128, recordKey, type SyncOperation } from '@counterpart/sync-model';
import type { Queryable } from '@counterpart/platform-postgres';

export interface Received {
  readonly operation: SyncOperation;
  readonly traceparent: string | null;
}

/**
 * Keeps a batch of sync operations: rows of the inbox in the order of the batch, and their lanes
 * made due, in one transaction. A redelivered operation meets its own row and changes nothing.
 */
export const keepOperations = async (
  db: Queryable,
  received: readonly Received[],
): Promise<number> => {
  if (received.length === 0) return 0;
  const events = received.map(({ operation }) => operation.event);
  const rows = await db.query<{ kept: number }>(keepSql, [
    events.map(({ tenantId }) => tenantId),
    events.map(({ eventKey }) => eventKey),
    events.map((event) => hash128(recordKey(event))),
    received.map(({ operation }) => JSON.stringify(operation)),
    received.map(({ traceparent }) => traceparent),
    events.map(({ sourceId }) => sourceId),
    events.map(({ backfill }) => backfill),
  ]);
  return rows[0]?.kept ?? 0;
};

const keepSql = `
with arrived as (
  select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::jsonb[], $5::text[], $6::text[], $7::boolean[])
    with ordinality as a(tenant_id, event_key, lane_id, payload, traceparent, source_id, backfill, place)
), kept as (
  insert into sync.inbox (tenant_id, event_key, lane_id, payload, traceparent)
  select tenant_id, event_key, lane_id, payload, traceparent from arrived order by place
  on conflict (tenant_id, event_key) do nothing
  returning tenant_id, event_key, lane_id, seq
), lanes as (
  insert into sync.lanes (tenant_id, lane_id, source_id, state, backfill, arrived_seq)
  select k.tenant_id, k.lane_id, min(a.source_id), 'open', bool_and(a.backfill), max(k.seq)
    from kept k join arrived a using (tenant_id, event_key)
   group by k.tenant_id, k.lane_id
   order by k.tenant_id, k.lane_id
  on conflict (tenant_id, lane_id) do update
    set arrived_seq = greatest(sync.lanes.arrived_seq, excluded.arrived_seq),
        backfill = sync.lanes.backfill and excluded.backfill,
        due_at = case when sync.lanes.state = 'idle' then now() else sync.lanes.due_at end,
        state = 'open'
)
select count(*)::int as kept from kept`;
