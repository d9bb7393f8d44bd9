import type { TenantId } from '@counterpart/sync-model';
import type { Queryable } from '@counterpart/platform-postgres';

/** The planned operations go with the claims; lanes that waited for one are due. */
const releaseSql = `
with released as (
  delete from sync.claims c using unnest($1::text[], $2::uuid[]) as r(tenant_id, token)
   where c.tenant_id = r.tenant_id and c.token = r.token and c.state = 'claimed'
  returning c.tenant_id, c.claim_key, c.operation_id
), replaced as (
  update sync.operations o set state = 'superseded', reason = 'not-meant-any-more', updated_at = now()
    from released r
   where o.tenant_id = r.tenant_id and o.operation_id = r.operation_id and o.state = 'planned'
)
update sync.lanes l set due_at = now(), waiting_on = null
  from released r
 where l.tenant_id = r.tenant_id and l.waiting_on = r.claim_key and l.state = 'open' and l.owner is null`;

/** Gives up claims under which nothing was sent. */
export const releaseUnsent = async (
  db: Queryable,
  claims: readonly { readonly tenantId: TenantId; readonly token: string }[],
): Promise<void> => {
  if (claims.length === 0) return;
  await db.query(releaseSql, [
    claims.map(({ tenantId }) => tenantId),
    claims.map(({ token }) => token),
  ]);
};
