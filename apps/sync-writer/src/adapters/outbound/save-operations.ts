import type { OperationId } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { ClaimAnswer } from '../../application/ports.js';
import type { Operation } from '../../domain/operation.js';
import { operationSql, toOperation, type OperationRow } from './operation-rows.js';

type Parked = Extract<ClaimAnswer, { kind: 'parked' }>;

const parkedSql = `
select o.operation_id, o.state, o.reason
  from unnest($1::text[], $2::uuid[], $3::jsonb[]) as p(tenant_id, operation_id, fields)
  join sync.operations o on o.tenant_id = p.tenant_id and o.operation_id = p.operation_id
 where o.state = 'held' or (o.state = 'refused' and o.fields = p.fields)`;

/**
 * Operations that must not be tried again, by id: what is held waits for a person, and what the CRM
 * refused for good it would refuse again until other values are meant.
 */
export const readParked = async (
  tx: Tx,
  operations: readonly Operation[],
): Promise<ReadonlyMap<OperationId, Parked>> => {
  if (operations.length === 0) return new Map();
  const rows = await tx.query<{
    readonly operation_id: OperationId;
    readonly state: 'held' | 'refused';
    readonly reason: string;
  }>(parkedSql, [
    operations.map(({ tenantId }) => tenantId),
    operations.map(({ operationId }) => operationId),
    operations.map(({ fields }) => JSON.stringify(fields)),
  ]);
  return new Map(
    rows.map(({ operation_id, state, reason }) => [
      operation_id,
      { kind: 'parked', outcome: state === 'held' ? 'needs-review' : 'quarantined', reason },
    ]),
  );
};

/**
 * An operation that was tried before keeps its attempts and version and is planned again. Others of
 * the same record that are not under way give way to it: they name values nobody means any more.
 */
const saveOperationsSql = `
with planned as (
  select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::uuid[],
                       $9::text[], $10::jsonb[], $11::text[], $12::uuid[])
    as p(tenant_id, operation_id, action, source_id, record_type, entity_id, external_id, event_key,
         origin_source_id, fields, traceparent, token)
), saved as (
  insert into sync.operations as o (tenant_id, operation_id, action, source_id, record_type, entity_id, external_id,
                                    event_key, origin_source_id, state, fields, traceparent)
  select tenant_id, operation_id, action, source_id, record_type, entity_id, external_id, event_key,
         origin_source_id, 'planned', fields, traceparent
    from planned
  on conflict (tenant_id, operation_id) do update
     set state = 'planned', fields = excluded.fields, external_id = excluded.external_id, updated_at = now()
  returning ${operationSql('o')}
), replaced as (
  update sync.operations o set state = 'superseded', reason = 'replaced', updated_at = now()
    from planned p
   where o.tenant_id = p.tenant_id and o.entity_id = p.entity_id and o.source_id = p.source_id
     and o.record_type = p.record_type and o.operation_id <> p.operation_id
     and o.state in ('planned', 'deferred')
), bound as (
  update sync.claims c set operation_id = p.operation_id
    from planned p
   where c.tenant_id = p.tenant_id and c.token = p.token
  returning c.claim_key, p.operation_id as bound_id
)
select b.claim_key, s.* from bound b join saved s on s.operation_id = b.bound_id`;

/** Writes planned operations and binds them to their claims; answers them by claim key. */
export const saveOperations = async (
  tx: Tx,
  writes: readonly { readonly operation: Operation; readonly token: string }[],
): Promise<ReadonlyMap<string, Operation>> => {
  if (writes.length === 0) return new Map();
  const operations = writes.map(({ operation }) => operation);
  const rows = await tx.query<OperationRow & { readonly claim_key: string }>(saveOperationsSql, [
    operations.map(({ tenantId }) => tenantId),
    operations.map(({ operationId }) => operationId),
    operations.map(({ action }) => action),
    operations.map(({ sourceId }) => sourceId),
    operations.map(({ recordType }) => recordType),
    operations.map(({ entityId }) => entityId),
    operations.map(({ externalId }) => externalId),
    operations.map(({ eventKey }) => eventKey),
    operations.map(({ originSourceId }) => originSourceId),
    operations.map(({ fields }) => JSON.stringify(fields)),
    operations.map(({ traceparent }) => traceparent),
    writes.map(({ token }) => token),
  ]);
  return new Map(rows.map((row) => [row.claim_key, toOperation(row)]));
};
