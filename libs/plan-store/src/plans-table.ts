import type { Db } from '@counterpart/platform-postgres';
import type { RegistryEntry } from '@counterpart/sync-model';

export interface StoredVersion {
  readonly tenantId: string;
  readonly version: number;
}

export interface StoredPlan extends StoredVersion {
  readonly planJson: string;
}

/** `<schema>.sync_plans`. `schema` is a name of ours, never input. Everything throws DbError. */
export const plansTable = (db: Db, schema: string) => {
  const table = `${schema}.sync_plans`;
  return {
    /** All tenants with a plan, oldest version first. */
    versions: (): Promise<readonly StoredVersion[]> =>
      db.query<{ tenantId: string; version: number }>(
        `select tenant_id as "tenantId", version from ${table} order by version, tenant_id`,
      ),
    plans: (tenantIds: readonly string[]): Promise<readonly StoredPlan[]> =>
      db.query<{ tenantId: string; version: number; planJson: string }>(
        `select tenant_id as "tenantId", version, plan::text as "planJson"
           from ${table} where tenant_id = any($1::text[])`,
        [tenantIds],
      ),
    /** One entry a tenant. Newer versions win. */
    keep: async (entries: readonly RegistryEntry[]): Promise<void> => {
      await db.query(
        `insert into ${table} (tenant_id, version, plan)
         select * from unnest($1::text[], $2::bigint[], $3::jsonb[])
         on conflict (tenant_id) do update
            set version = excluded.version, plan = excluded.plan, updated_at = now()
          where ${table}.version < excluded.version`,
        [
          entries.map(({ tenantId }) => tenantId),
          entries.map(({ version }) => version),
          entries.map(({ planJson }) => planJson),
        ],
      );
    },
    /** Removes plans that are older than the entry that removes them. */
    remove: async (entries: readonly RegistryEntry[]): Promise<void> => {
      await db.query(
        `delete from ${table} t using unnest($1::text[], $2::bigint[]) as r(tenant_id, version)
          where t.tenant_id = r.tenant_id and t.version < r.version`,
        [entries.map(({ tenantId }) => tenantId), entries.map(({ version }) => version)],
      );
    },
  };
};
