import type { Db } from '@counterpart/platform-postgres';
import type { LostRequest } from '../../application/ports.js';
import { readbackGraceMs } from '../../domain/claim.js';
import { requestOf } from './meet-holders.js';
import { operationSql, toOperation, type OperationRow } from './operation-rows.js';

/** Lanes that want the record meet its claim long before; this is for those nobody wants. */
const lostSql = `
with lost as (
  select c.tenant_id, c.token
    from sync.claims c
    join sync.operations o on o.tenant_id = c.tenant_id and o.operation_id = c.operation_id
   where c.state = 'sending' and o.state = 'attempting' and c.lease_until < now() - $3 * interval '1 millisecond'
   order by c.lease_until
   limit $1
     for update of c skip locked
), taken as (
  update sync.claims c
     set token = gen_random_uuid(), holder = $2, lease_until = greatest(now(), c.settle_at) + $3 * interval '1 millisecond'
    from lost l
   where c.tenant_id = l.tenant_id and c.token = l.token
  returning c.tenant_id, c.operation_id, c.token, c.claim_key, c.sent_at, c.settle_at
)
select t.token, t.claim_key, t.sent_at, t.settle_at, ${operationSql('o')}
  from taken t
  join sync.operations o on o.tenant_id = t.tenant_id and o.operation_id = t.operation_id`;

interface LostRow extends OperationRow {
  readonly token: string;
  readonly claim_key: string;
  readonly sent_at: Date | null;
  readonly settle_at: Date | null;
}

/** Requests that nobody has named, taken over from senders long gone. */
export const takeLost = async (
  db: Db,
  limit: number,
  instanceId: string,
): Promise<readonly LostRequest[]> => {
  const rows = await db.query<LostRow>(lostSql, [limit, instanceId, readbackGraceMs]);
  return rows.flatMap((row) => {
    const request = requestOf(row);
    return request === null
      ? []
      : [{ operation: toOperation(row), token: row.token, claimKey: row.claim_key, request }];
  });
};
