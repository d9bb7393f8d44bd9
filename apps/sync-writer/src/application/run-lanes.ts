import type { TenantId } from '@counterpart/sync-model';
import type { SyncPlan } from '@counterpart/sync-plan';
import { endEarly, type ItemEnding } from '../domain/end-item.js';
import { decideRetry, ownFaultBudget } from '../domain/retry.js';
import type { WorkItem } from '../domain/work.js';
import type { LaneEnding, LaneStore } from './ports.js';
import { nameLost } from './name-lost.js';
import { settleBatch } from './settle-batch.js';
import type { SettlePorts } from './settle-ports.js';

/** How many lanes one pass of one tenant takes: what a CRM's batch call carries. */
const lanesPerPass = 100;
/** Without an official plan the tenant's work waits this long for it. */
const planWaitMs = 1_000;

/** One change is one trace, across every hop; a pass serves many and links them. */
export interface Tracing {
  /** Runs a pass as part of its first item's trace, linked to the others'. */
  pass<T>(items: readonly WorkItem[], work: () => Promise<T>): Promise<T>;
  /** Marks in an item's own trace how this pass ended for it. */
  ended(item: WorkItem, ending: ItemEnding): void;
}

export interface RunPorts extends SettlePorts {
  readonly lanes: LaneStore;
  readonly tracing: Tracing;
  /** Told of every fault of our own, whatever becomes of it. */
  readonly onBroken: (error: unknown) => void;
  /** True for what concerns everybody: a database that does not answer. */
  readonly isInfrastructure: (error: unknown) => boolean;
  /** Other workers may find due lanes now. */
  readonly wakeOthers: () => void;
}

/**
 * Takes due lanes and brings them on, one pass per tenant at a time: while a tenant's pass waits
 * for its CRM, the lanes that become due gather into its next pass, and every other tenant goes on.
 */
export class LaneRunner {
  private readonly passes = new Map<TenantId, Promise<void>>();
  private readonly inHand = new Map<TenantId, readonly WorkItem[]>();
  private isStopping = false;

  constructor(
    private readonly ports: RunPorts,
    private readonly tenantsMax = 32,
  ) {}

  /** One round: starts a pass for each tenant with due lanes; answers how many it started. */
  async round(): Promise<number> {
    if (this.isStopping || this.passes.size >= this.tenantsMax) return 0;
    const items = await this.ports.lanes.take({
      limit: lanesPerPass,
      busy: [...this.passes.keys()],
    });
    const byTenant = new Map<TenantId, WorkItem[]>();
    for (const item of items)
      byTenant.set(item.tenantId, [...(byTenant.get(item.tenantId) ?? []), item]);
    for (const [tenantId, own] of byTenant) this.start(tenantId, own);
    return byTenant.size;
  }

  /**
   * Keeps the lanes in hand. A lane of a pass that broke is no longer in hand, so its lease lapses
   * and it is taken again.
   */
  renew(): Promise<void> {
    return this.ports.lanes.renew([...this.inHand.values()].flat());
  }

  /** Looks after requests that no lane will ever ask about. */
  sweep(): Promise<void> {
    return nameLost(this.ports);
  }

  /** Takes no new lanes; resolves when the passes under way have ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.passes.values());
  }

  private start(tenantId: TenantId, items: readonly WorkItem[]): void {
    const pass = runPass(tenantId, items, this.ports)
      .catch(this.ports.onBroken)
      .finally(() => {
        this.passes.delete(tenantId);
        this.inHand.delete(tenantId);
        this.ports.wakeOthers();
      });
    this.passes.set(tenantId, pass);
    this.inHand.set(tenantId, items);
  }
}

const runPass = async (
  tenantId: TenantId,
  items: readonly WorkItem[],
  ports: RunPorts,
): Promise<void> => {
  const plan = await ports.sources.planOf(tenantId);
  if (plan === null) {
    const dueAtMs = ports.clock.nowMs() + planWaitMs;
    const waiting: ItemEnding = { kind: 'deferred', dueAtMs, waitingOn: null, counts: false };
    await ports.lanes.finish(items.map((item) => toLaneEnding(item, waiting)));
    return;
  }
  const endings = await ports.tracing.pass(items, () => settleIsolated(items, plan, ports));
  const ended = items.flatMap((item) => {
    const ending = endings.get(item);
    return ending === undefined ? [] : [{ item, ending }];
  });
  for (const { item, ending } of ended) ports.tracing.ended(item, ending);
  await ports.lanes.finish(ended.map(({ item, ending }) => toLaneEnding(item, ending)));
};

/**
 * A fault of our own that one item provokes must stall that item alone. The batch is halved until
 * the item stands alone; there the fault is charged to its budget, and ends as a case. Faults of
 * the infrastructure concern everybody: they end the pass, whose lanes come back with their lease.
 */
const settleIsolated = async (
  items: readonly WorkItem[],
  plan: SyncPlan,
  ports: RunPorts,
): Promise<ReadonlyMap<WorkItem, ItemEnding>> => {
  try {
    return await settleBatch(items, plan, ports);
  } catch (error) {
    if (ports.isInfrastructure(error)) throw error;
    ports.onBroken(error);
    const [only] = items;
    if (items.length === 1 && only !== undefined) return new Map([[only, charged(only, ports)]]);
    const half = Math.ceil(items.length / 2);
    const first = await settleIsolated(items.slice(0, half), plan, ports);
    const second = await settleIsolated(items.slice(half), plan, ports);
    return new Map([...first, ...second]);
  }
};

const charged = (item: WorkItem, { clock, random }: RunPorts): ItemEnding => {
  const world = { nowMs: clock.nowMs(), fraction: random.fraction(), budget: ownFaultBudget };
  const reason = 'own-fault';
  const retry = decideRetry(item, { retryAtMs: null, counts: true, reason }, world);
  return retry.kind === 'wait'
    ? { ...retry, kind: 'deferred', waitingOn: null }
    : endEarly(
        item,
        { kind: 'settled', entityId: null, outcome: 'needs-review', reason },
        world.nowMs,
      );
};

const toLaneEnding = (
  { tenantId, laneId, epoch, seq }: WorkItem,
  ending: ItemEnding,
): LaneEnding => ({ ...ending, tenantId, laneId, epoch, seq });
