import type { Db } from '@counterpart/platform-postgres';
import type { RegistryEntry, TenantId } from '@counterpart/sync-model';
import { planOfJson, type SyncPlan } from '@counterpart/sync-plan';
import { plansTable, type StoredPlan, type StoredVersion } from './plans-table.js';

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

export interface PlanStorePorts {
  readonly db: Db;
  /** Schema of the owning service; a name of ours, never input. */
  readonly schema: string;
  readonly clock: { monotonicMs(): number };
  /** Told when a refresh failed and the plans read last stay in force. */
  readonly onStale?: (error: unknown) => void;
}

export const createPlanStore = (ports: PlanStorePorts): PlanStore => new CachedPlanStore(ports);

const refreshMs = 1_000;

/** What is held of one tenant; a plan of null is one that this version cannot read. */
interface Held {
  readonly version: number;
  readonly plan: VersionedPlan | null;
}

class CachedPlanStore implements PlanStore {
  private readonly table: ReturnType<typeof plansTable>;
  private held: ReadonlyMap<string, Held> = new Map();
  private list: readonly VersionedPlan[] = [];
  private readAtMs = Number.NEGATIVE_INFINITY;
  private hasRead = false;
  private reading: Promise<void> | undefined;

  constructor(private readonly ports: PlanStorePorts) {
    this.table = plansTable(ports.db, ports.schema);
  }

  async apply(entries: readonly RegistryEntry[]): Promise<void> {
    const newest = newestOf(entries);
    const kept = newest.filter(({ planJson }) => planJson !== '');
    const removed = newest.filter(({ planJson }) => planJson === '');
    if (kept.length > 0) await this.table.keep(kept);
    if (removed.length > 0) await this.table.remove(removed);
    // A refresh that began before this write may not have seen it.
    await this.reading?.catch(() => undefined);
    this.readAtMs = Number.NEGATIVE_INFINITY;
  }

  async planOf(tenantId: TenantId): Promise<VersionedPlan | null> {
    await this.fresh();
    return this.held.get(tenantId)?.plan ?? null;
  }

  async all(): Promise<readonly VersionedPlan[]> {
    await this.fresh();
    return this.list;
  }

  private async fresh(): Promise<void> {
    if (this.ports.clock.monotonicMs() - this.readAtMs < refreshMs) return;
    this.reading ??= this.refresh()
      .catch((error: unknown) => this.keepLast(error))
      .finally(() => {
        this.reading = undefined;
      });
    await this.reading;
  }

  private async refresh(): Promise<void> {
    const stored = await this.table.versions();
    const changed = stored.filter(
      ({ tenantId, version }) => this.held.get(tenantId)?.version !== version,
    );
    if (changed.length > 0 || stored.length !== this.held.size) await this.take(stored, changed);
    this.readAtMs = this.ports.clock.monotonicMs();
    this.hasRead = true;
  }

  /** Reads what changed only: a pod asks every second, and plans are large and rarely change. */
  private async take(
    stored: readonly StoredVersion[],
    changed: readonly StoredVersion[],
  ): Promise<void> {
    const plans =
      changed.length === 0 ? [] : await this.table.plans(changed.map(({ tenantId }) => tenantId));
    const read = new Map(plans.map((plan) => [plan.tenantId, heldOf(plan)]));
    this.held = new Map(
      stored.flatMap(({ tenantId }) => {
        const held = read.get(tenantId) ?? this.held.get(tenantId);
        return held === undefined ? [] : [[tenantId, held] as const];
      }),
    );
    this.list = [...this.held.values()].flatMap(({ plan }) => plan ?? []);
  }

  private keepLast(error: unknown): void {
    if (!this.hasRead) throw error;
    this.readAtMs = this.ports.clock.monotonicMs();
    this.ports.onStale?.(error);
  }
}

/** The newest entry of each tenant; of two with one version, the one that came later. */
const newestOf = (entries: readonly RegistryEntry[]): readonly RegistryEntry[] => {
  const newest = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.tenantId);
    if (known === undefined || known.version <= entry.version) newest.set(entry.tenantId, entry);
  }
  return [...newest.values()];
};

/** A plan this version cannot read is no plan: its tenant's work waits until it is applied again. */
const heldOf = ({ version, planJson }: StoredPlan): Held => {
  const read = planOfJson(planJson);
  return { version, plan: read.ok ? { plan: read.plan, version } : null };
};
