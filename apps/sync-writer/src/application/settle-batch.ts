import type { EntityId } from '@counterpart/sync-model';
import { targetsOf, type SyncPlan } from '@counterpart/sync-plan';
import { decideIdentity, type Arrival, type Resolution } from '../domain/decide-identity.js';
import { endAtTargets, endEarly, type ItemEnding } from '../domain/end-item.js';
import { identityRequestOf } from '../domain/identity-request.js';
import { decideRetry } from '../domain/retry.js';
import { statementsOf } from '../domain/statements.js';
import type { WorkItem } from '../domain/work.js';
import { associate } from './associate.js';
import { hydrate, type Hydrated } from './hydrate.js';
import { edgesWanted, targetEndings, type Told } from './resolved-endings.js';
import { worldOf, type SettlePorts } from './settle-ports.js';
import { settleReadbacks } from './settle-readback.js';
import { writeRanks, type Resolved } from './write-ranks.js';

/**
 * Brings the heads of one tenant's lanes as far as they go:
 *
 *   hydrate hints ─▶ resolve identity (one transaction) ─▶ write, mentioned records before those
 *   that mention them ─▶ associate ─▶ say how each head ended
 *
 * Every step may be repeated: after a crash the same heads come again and find what was done.
 */
export const settleBatch = async (
  items: readonly WorkItem[],
  plan: SyncPlan,
  ports: SettlePorts,
): Promise<ReadonlyMap<WorkItem, ItemEnding>> => {
  const endings = new Map<WorkItem, ItemEnding>();
  const readbacks = items.filter(({ operation }) => operation.event.kind === 'readback');
  for (const [item, ending] of await settleReadbacks(readbacks, plan, ports))
    endings.set(item, ending);
  const others = items.filter(({ operation }) => operation.event.kind !== 'readback');
  const hydratedItems = await hydrate(others, plan, ports);
  const resolved = await resolve(hydratedItems, endings, plan, ports);
  const outcomes = await writeRanks(resolved, plan, ports);
  const associated = await associate(edgesWanted(resolved, outcomes), ports);
  const told = await toldOf(resolved, plan, ports);
  for (const one of resolved)
    endings.set(
      one.item,
      endAtTargets(
        one.item,
        targetEndings(one, outcomes, associated, told),
        one.changed,
        worldOf(ports),
      ),
    );
  return endings;
};

/**
 * The identity step for all arrivals of the batch; the others get their ending at once. An item
 * whose lane was overtaken gets none: the lane's new owner settles it.
 */
const resolve = async (
  hydratedItems: readonly Hydrated[],
  endings: Map<WorkItem, ItemEnding>,
  plan: SyncPlan,
  ports: SettlePorts,
): Promise<readonly Resolved[]> => {
  const arrivals: { readonly item: WorkItem; readonly arrival: Arrival }[] = [];
  for (const one of hydratedItems) {
    if (one.kind === 'arrival') arrivals.push(one);
    else endings.set(one.item, unhydrated(one, ports));
  }
  if (arrivals.length === 0) return [];
  const decided = await ports.identity.transact(
    identityRequestOf(
      arrivals.map(({ arrival }) => arrival.event),
      plan,
    ),
    arrivals.map(({ item }) => item),
    (snapshot, held) => {
      const mine = arrivals.filter(({ item }) => held.has(item.laneId));
      const { changes, resolutions } = decideIdentity(
        mine.map(({ arrival }) => arrival),
        snapshot,
        { plan, nowMs: ports.clock.nowMs(), newEntityId: () => ports.random.uuid() as EntityId },
      );
      return {
        changes,
        result: mine.map((one, index) => ({ ...one, resolution: resolutions[index] })),
      };
    },
  );
  return decided.flatMap(({ item, arrival, resolution }) => {
    if (resolution === undefined) return [];
    if (resolution.kind === 'proceed') return [toResolved(item, arrival, resolution, plan)];
    endings.set(item, unresolved(item, resolution, ports));
    return [];
  });
};

const unhydrated = (
  one: Exclude<Hydrated, { kind: 'arrival' }>,
  ports: SettlePorts,
): ItemEnding => {
  const world = worldOf(ports);
  if (one.kind === 'moot')
    return endEarly(
      one.item,
      { kind: 'settled', entityId: null, outcome: 'superseded', reason: one.reason },
      world.nowMs,
    );
  const retry = decideRetry(
    one.item,
    { retryAtMs: one.retryAtMs, counts: one.code !== 'quota', reason: one.code },
    world,
  );
  return retry.kind === 'wait'
    ? { ...retry, kind: 'deferred', waitingOn: null }
    : endEarly(
        one.item,
        { kind: 'settled', entityId: null, outcome: 'needs-review', reason: retry.reason },
        world.nowMs,
      );
};

const unresolved = (
  item: WorkItem,
  resolution: Exclude<Resolution, { kind: 'proceed' }>,
  ports: SettlePorts,
): ItemEnding =>
  resolution.kind === 'wait'
    ? {
        kind: 'deferred',
        dueAtMs: resolution.untilMs,
        waitingOn: resolution.claimKey,
        counts: false,
      }
    : endEarly(item, resolution, ports.clock.nowMs());

const toResolved = (
  item: WorkItem,
  arrival: Arrival,
  resolution: Extract<Resolution, { kind: 'proceed' }>,
  plan: SyncPlan,
): Resolved => {
  const { sourceId, recordType } = arrival.event;
  const others = targetsOf(plan, sourceId, recordType);
  return {
    ...resolution,
    item,
    statements: statementsOf(arrival.event),
    targets: resolution.restores ? [...others, sourceId] : others,
  };
};

const toldOf = async (
  resolved: readonly Resolved[],
  plan: SyncPlan,
  { writes }: SettlePorts,
): Promise<Told> =>
  resolved.length === 0
    ? new Map()
    : writes.toldAt(
        plan.tenantId,
        resolved.map(({ item }) => item.operation.event.eventKey),
      );
