import type { Db, Queryable } from '@counterpart/platform-postgres';
import type { RegistryEntry, TenantId } from '@counterpart/sync-model';
import { planOfJson, type SyncPlan } from '@counterpart/sync-plan';

/** A tenant's plan as this service keeps it; a higher version is newer. */
export interface VersionedPlan {
  readonly plan: SyncPlan;
  readonly version: number;
}

/**
 * A service's own copy of the sync plans, in its own table `<schema>.sync_plans`. Reads are cached
 * and refreshed together once a second at most, so a hot path pays for no query and a plan that
 * another pod stored is seen within a second. While the database is away, the plans read last stay in
 * force: a delivery must not be refused because a plan might have changed.
 */
export interface PlanStore {
  /** Keeps newer versions; an older or equal one changes nothing. A tombstone removes the plan. */
  apply(entries: readonly RegistryEntry[]): Promise<void>;
  planOf(tenantId: TenantId): Promise<VersionedPlan | null>;
  /** Every plan, oldest version first; the same array until one of them changes. */
  all(): Promise<readonly VersionedPlan[]>;
}

const refreshMs = 1_000;

interface PlanRow {
  readonly tenant_id: string;
  readonly version: number;
  readonly plan: unknown;
}

export const createPlanStore = (ports: {
  readonly db: Db;
  /** Schema of the owning service; a name of ours, never input. */
  readonly schema: string;
  readonly clock: { monotonicMs(): number };
  /** Told when a refresh failed and the plans read last stay in force. */
  readonly onStale?: (error: unknown) => void;
}): PlanStore => {
  const table = `${ports.schema}.sync_plans`;
  let cache = new Map<string, VersionedPlan>();
  let list: readonly VersionedPlan[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let hasRead = false;
  let reading: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    const rows = await ports.db.query<PlanRow>(
      `select tenant_id, version, plan from ${table} order by version`,
    );
    cache = new Map(
      rows.flatMap((row) => {
        const plan = cachedOrParsed(cache.get(row.tenant_id), row);
        return plan === null ? [] : [[row.tenant_id, plan] as const];
      }),
    );
    const next = [...cache.values()];
    const isSame = next.length === list.length && next.every((plan, at) => plan === list[at]);
    if (!isSame) list = next;
    readAtMs = ports.clock.monotonicMs();
    hasRead = true;
  };
  const keepLast = (error: unknown): void => {
    if (!hasRead) throw error;
    readAtMs = ports.clock.monotonicMs();
    ports.onStale?.(error);
  };
  const fresh = async (): Promise<void> => {
    if (ports.clock.monotonicMs() - readAtMs < refreshMs) return;
    reading ??= refresh()
      .catch(keepLast)
      .finally(() => {
        reading = undefined;
      });
    await reading;
  };
  return {
    async apply(entries) {
      await storeEntries(ports.db, table, entries);
      readAtMs = Number.NEGATIVE_INFINITY;
    },
    async planOf(tenantId) {
      await fresh();
      return cache.get(tenantId) ?? null;
    },
    async all() {
      await fresh();
      return list;
    },
  };
};

/** A plan this version cannot read is no plan: its tenant's work waits until it is applied again. */
const cachedOrParsed = (known: VersionedPlan | undefined, row: PlanRow): VersionedPlan | null => {
  if (known?.version === row.version) return known;
  const read = planOfJson(JSON.stringify(row.plan));
  return read.ok ? { plan: read.plan, version: row.version } : null;
};

/** An empty plan text is how a tenant is removed. */
const storeEntries = async (
  db: Queryable,
  table: string,
  entries: readonly RegistryEntry[],
): Promise<void> => {
  const newest = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.tenantId);
    if (known === undefined || known.version <= entry.version) newest.set(entry.tenantId, entry);
  }
  const kept = [...newest.values()].filter(({ planJson }) => planJson !== '');
  const removed = [...newest.values()].filter(({ planJson }) => planJson === '');
  if (kept.length > 0)
    await db.query(
      `insert into ${table} (tenant_id, version, plan)
       select * from unnest($1::text[], $2::bigint[], $3::jsonb[])
       on conflict (tenant_id) do update
          set version = excluded.version, plan = excluded.plan, updated_at = now()
        where ${table}.version < excluded.version`,
      [
        kept.map(({ tenantId }) => tenantId),
        kept.map(({ version }) => version),
        kept.map(({ planJson }) => planJson),
      ],
    );
  if (removed.length > 0)
    await db.query(
      `delete from ${table} t using unnest($1::text[], $2::bigint[]) as r(tenant_id, version)
        where t.tenant_id = r.tenant_id and t.version < r.version`,
      [removed.map(({ tenantId }) => tenantId), removed.map(({ version }) => version)],
    );
};
