import { retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import type { UnknownOperation } from '@counterpart/sync-model';
import type { Outgoing, ProbeEnding, ReadbackStore, Received } from '../../application/ports.js';
import { firstProbeAtMs, newestOf } from '../../domain/readback.js';
import { recordFindings } from './case-rows.js';
import { readbackColumns, toReadback, type ReadbackRow } from './readback-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';

/** Readbacks in PostgreSQL; the states and who may move between them are in the migration. */
export const createReadbackStore = (db: Db, save: SaveOutgoing): ReadbackStore => ({
  keep: (received, parked) =>
    retryTransaction(db, async (tx) => {
      await keepUnknown(tx, newestOf(received));
      await save(tx, parked);
    }),

  async takeDue(question) {
    const rows = await db.query<ReadbackRow>(takeSql, [
      question.nowMs,
      question.leaseToken,
      question.leaseMs,
      question.busy.map(({ tenantId }) => tenantId),
      question.busy.map(({ sourceId }) => sourceId),
      question.perSource,
      question.limit,
    ]);
    return rows.map(toReadback);
  },

  end: (endings, nowMs) =>
    retryTransaction(db, async (tx) => {
      const mine = await updateEnded(tx, endings, nowMs);
      const ended = endings.filter(({ readback }) => mine.has(keyOf(readback)));
      await recordFindings(
        tx,
        ended.flatMap(({ finding }) => finding ?? []),
      );
      await save(tx, ended.flatMap(eventOf));
    }),
});

const keyOf = (ref: { readonly tenantId: string; readonly operationId: string }): string =>
  `${ref.tenantId}\u001f${ref.operationId}`;

function eventOf({ next, readback }: ProbeEnding): readonly Outgoing[] {
  if (next.state !== 'answered') return [];
  const { traceparent } = readback;
  return [{ topic: 'counterpart.source-events.v1', value: next.event, traceparent }];
}

async function keepUnknown(tx: Tx, received: readonly Received<UnknownOperation>[]): Promise<void> {
  if (received.length === 0) return;
  const values = received.map(({ value }) => value);
  await tx.query(keepSql, [
    values.map(({ tenantId }) => tenantId),
    values.map(({ operationId }) => operationId),
    values.map(({ operationVersion }) => operationVersion),
    values.map(({ sourceId }) => sourceId),
    values.map(({ provider }) => provider),
    values.map(({ recordType }) => recordType),
    values.map(({ entityId }) => entityId),
    values.map(({ action }) => action),
    values.map(({ externalId }) => externalId),
    values.map(({ marker }) => marker),
    values.map(({ fields }) => JSON.stringify(fields)),
    values.map(({ settleAtMs }) => settleAtMs),
    values.map(({ settleAtMs }) => firstProbeAtMs(settleAtMs)),
    received.map(({ traceparent }) => traceparent),
  ]);
}

const keepSql = `
insert into reconcile.readbacks as r
  (tenant_id, operation_id, operation_version, state, source_id, provider, record_type, entity_id,
   action, external_id, marker, fields, settle_at, due_at, traceparent)
select tenant_id, operation_id, operation_version, 'waiting', source_id, provider, record_type,
       entity_id, action, external_id, marker, fields,
       to_timestamp(settle_at_ms / 1000), to_timestamp(due_at_ms / 1000), traceparent
  from unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::uuid[],
              $8::text[], $9::text[], $10::text[], $11::jsonb[], $12::float8[], $13::float8[],
              $14::text[])
    as n(tenant_id, operation_id, operation_version, source_id, provider, record_type, entity_id,
         action, external_id, marker, fields, settle_at_ms, due_at_ms, traceparent)
 order by tenant_id, operation_id
on conflict (tenant_id, operation_id) do update
   set operation_version = excluded.operation_version, state = 'waiting', attempts = 0,
       external_id = excluded.external_id, marker = excluded.marker, fields = excluded.fields,
       settle_at = excluded.settle_at, due_at = excluded.due_at, last_code = '',
       lease_token = null, lease_until = null, traceparent = excluded.traceparent,
       updated_at = now()
 where r.operation_version < excluded.operation_version`;

/**
 * The oldest due readbacks of each source first, so that a source with thousands does not keep the
 * others waiting. Rows another process is just taking are passed over.
 */
const takeSql = `
with busy as (
  select * from unnest($4::text[], $5::text[]) as b(tenant_id, source_id)
), due as (
  select tenant_id, operation_id,
         row_number() over (partition by tenant_id, source_id order by due_at) as place
    from reconcile.readbacks r
   where state = 'waiting' and due_at <= to_timestamp($1::float8 / 1000)
     and (lease_until is null or lease_until < to_timestamp($1::float8 / 1000))
     and not exists (select 1 from busy b
                      where b.tenant_id = r.tenant_id and b.source_id = r.source_id)
), picked as (
  select r.tenant_id, r.operation_id
    from reconcile.readbacks r join due using (tenant_id, operation_id)
   where due.place <= $6 and r.state = 'waiting' and r.due_at <= to_timestamp($1::float8 / 1000)
     and (r.lease_until is null or r.lease_until < to_timestamp($1::float8 / 1000))
   order by r.due_at
   limit $7
   for update of r skip locked
)
update reconcile.readbacks r
   set lease_token = $2, lease_until = to_timestamp(($1::float8 + $3::float8) / 1000)
  from picked
 where r.tenant_id = picked.tenant_id and r.operation_id = picked.operation_id
returning ${readbackColumns}`;

/** Moves those readbacks on whose lease is still ours; answers which. */
async function updateEnded(
  tx: Tx,
  endings: readonly ProbeEnding[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ tenant_id: string; operation_id: string }>(endSql, [
    endings.map(({ readback }) => readback.tenantId),
    endings.map(({ readback }) => readback.operationId),
    endings.map(({ leaseToken }) => leaseToken),
    endings.map(({ next }) => next.state),
    endings.map(({ next }) => (next.state === 'waiting' ? next.dueAtMs : nowMs)),
    endings.map(({ next }) => (next.state === 'waiting' && !next.counts ? 0 : 1)),
    endings.map(({ code }) => code),
  ]);
  return new Set(
    rows.map((row) => keyOf({ tenantId: row.tenant_id, operationId: row.operation_id })),
  );
}

const endSql = `
with ended as (
  select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::int[], $7::text[])
    as e(tenant_id, operation_id, lease_token, state, due_at_ms, charge, code)
), mine as (
  select r.tenant_id, r.operation_id
    from reconcile.readbacks r join ended e using (tenant_id, operation_id, lease_token)
   where r.state = 'waiting'
   order by r.tenant_id, r.operation_id
   for update of r
)
update reconcile.readbacks r
   set state = e.state, due_at = to_timestamp(e.due_at_ms / 1000), attempts = r.attempts + e.charge,
       last_code = e.code, lease_token = null, lease_until = null, updated_at = now(),
       fields = case when e.state = 'answered' then '{}' else r.fields end
  from ended e join mine using (tenant_id, operation_id)
 where r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
returning r.tenant_id, r.operation_id`;
