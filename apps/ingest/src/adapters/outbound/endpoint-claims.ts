import type { Db, Queryable } from '@counterpart/platform-postgres';
import type { ClaimStore } from '../../application/ports.js';
import { claimKey, type EndpointClaim } from '../../domain/endpoint-claims.js';

/** Claims in `ingest.endpoint_claims`. Throws DbError. */
export const createClaimStore = (db: Db): ClaimStore => ({
  keep: (tenantIds, claims) =>
    db.transaction(async (tx) => {
      await forgetOthers(tx, tenantIds, claims);
      await addNew(tx, claims);
    }),
  async since() {
    const rows = await db.query<ClaimRow>(
      `select tenant_id as "tenantId", source_id as "sourceId", endpoint,
              instance_id as "instanceId", since_version as version
         from ingest.endpoint_claims`,
    );
    const stamps = new Map(rows.map((row) => [claimKey(row), row.version]));
    return (claim) => stamps.get(claimKey(claim));
  },
});

/** `version` is the one that named it first. */
type ClaimRow = EndpointClaim;

const columns = (claims: readonly EndpointClaim[]) => [
  claims.map(({ tenantId }) => tenantId),
  claims.map(({ sourceId }) => sourceId),
  claims.map(({ endpoint }) => endpoint),
  claims.map(({ instanceId }) => instanceId),
];

const forgetOthers = (
  tx: Queryable,
  tenantIds: readonly string[],
  claims: readonly EndpointClaim[],
) =>
  tx.query(
    `delete from ingest.endpoint_claims c
      where tenant_id = any($1::text[])
        and not exists (
          select 1
            from unnest($2::text[], $3::text[], $4::text[], $5::text[])
                 as w(tenant_id, source_id, endpoint, instance_id)
           where (w.tenant_id, w.source_id, w.endpoint, w.instance_id)
               = (c.tenant_id, c.source_id, c.endpoint, c.instance_id))`,
    [tenantIds, ...columns(claims)],
  );

const addNew = (tx: Queryable, claims: readonly EndpointClaim[]) =>
  tx.query(
    `insert into ingest.endpoint_claims (tenant_id, source_id, endpoint, instance_id, since_version)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     on conflict do nothing`,
    [...columns(claims), claims.map(({ version }) => version)],
  );
