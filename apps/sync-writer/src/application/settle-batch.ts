import {
  type Clock,
  type EntityId,
  type Random,
  type RetryBudget,
  type SourceId,
} from '@counterpart/sync-model';
import { targetsOf, type SyncPlan } from '@counterpart/sync-plan';
import { decideIdentity, type Arrival, type Resolution } from '../domain/decide-identity.js';
import { endAtTargets, endEarly, type ItemEnding, type TargetEnding } from '../domain/end-item.js';
import { identityRequestOf } from '../domain/identity-request.js';
import { decideRetry } from '../domain/retry.js';
import { ranksOf, statementsOf, type Statement } from '../domain/statements.js';
import { needKey, type Need, type NeedOutcome, type WorkItem } from '../domain/work.js';
import { associate } from './associate.js';
import { hydrate, type Hydrated } from './hydrate.js';
import type { EdgeStore, IdentityStore, Sources, WriteStore, WriterMetrics } from './ports.js';
import { settleReadbacks } from './settle-readback.js';
import { writeNeeds, type Outcomes } from './write-needs.js';

export interface SettlePorts {
  readonly identity: IdentityStore;
  readonly writes: WriteStore;
  readonly edges: EdgeStore;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: WriterMetrics;
  readonly budget: RetryBudget;
}

/** An item whose records are all resolved to entities. */
interface Resolved {
  readonly item: WorkItem;
  readonly statements: readonly Statement[];
  readonly entityIds: readonly (EntityId | null)[];
  readonly changed: boolean;
  readonly targets: readonly SourceId[];
}

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

const worldOf = ({ clock, random, budget }: SettlePorts) => ({
  nowMs: clock.nowMs(),
  fraction: random.fraction(),
  budget,
});

/** The identity step for all arrivals of the batch; the others get their ending at once. */
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
  const resolutions = await ports.identity.transact(
    identityRequestOf(
      arrivals.map(({ arrival }) => arrival.event),
      plan,
    ),
    (snapshot) => {
      const { changes, resolutions: result } = decideIdentity(
        arrivals.map(({ arrival }) => arrival),
        snapshot,
        { plan, nowMs: ports.clock.nowMs(), newEntityId: () => ports.random.uuid() as EntityId },
      );
      return { changes, result };
    },
  );
  return arrivals.flatMap(({ item, arrival }, index) => {
    const resolution = resolutions[index];
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
): Resolved => ({
  item,
  statements: statementsOf(arrival.event),
  entityIds: resolution.entityIds,
  changed: resolution.changed,
  targets: targetsOf(plan, arrival.event.sourceId, arrival.event.recordType),
});

/** Rank by rank, so that a record is written after those it refers to; each group side by side. */
const writeRanks = async (
  resolved: readonly Resolved[],
  plan: SyncPlan,
  ports: SettlePorts,
): Promise<Outcomes> => {
  const outcomes: Outcomes = new Map();
  const ranks = ranksOf(resolved.map(({ statements }) => statements));
  for (const rank of [...new Set(ranks.values())].sort((a, b) => a - b)) {
    const groups = groupNeeds(resolved, plan, (recordType) => ranks.get(recordType) === rank);
    const written = await Promise.all(
      groups.map((needs) =>
        writeNeeds(needs, {
          store: ports.writes,
          sources: ports.sources,
          clock: ports.clock,
          metrics: ports.metrics,
          plan,
        }),
      ),
    );
    for (const some of written) for (const [key, outcome] of some) outcomes.set(key, outcome);
  }
  return outcomes;
};

/** The distinct needs of a rank: what two events both need is needed once. */
const groupNeeds = (
  resolved: readonly Resolved[],
  plan: SyncPlan,
  isInRank: (recordType: string) => boolean,
): readonly (readonly Need[])[] => {
  const groups = new Map<string, Map<string, Need>>();
  for (const { item, statements, entityIds, targets } of resolved)
    statements.forEach((statement, index) => {
      const entityId = entityIds[index];
      if (!entityId || !isInRank(statement.recordType)) return;
      for (const target of targets) {
        if (!targetsOf(plan, item.operation.event.sourceId, statement.recordType).includes(target))
          continue;
        const need = needOf(item, statement, entityId, target);
        const group = `${target}\u001f${statement.recordType}`;
        const needs = groups.get(group) ?? new Map<string, Need>();
        if (!needs.has(needKey(need))) needs.set(needKey(need), need);
        groups.set(group, needs);
      }
    });
  return [...groups.values()].map((needs) => [...needs.values()]);
};

const needOf = (
  item: WorkItem,
  statement: Statement,
  entityId: EntityId,
  target: SourceId,
): Need => ({
  tenantId: item.tenantId,
  target,
  recordType: statement.recordType,
  entityId,
  eventKey: item.operation.event.eventKey,
  originSourceId: item.operation.event.sourceId,
  main: statement.standing === 'main',
  traceparent: item.traceparent,
});

const outcomeAt = (
  one: Resolved,
  index: number,
  target: SourceId,
  outcomes: Outcomes,
): NeedOutcome | undefined => {
  const statement = one.statements[index];
  const entityId = one.entityIds[index];
  if (!statement || !entityId) return undefined;
  return outcomes.get(needKey({ target, recordType: statement.recordType, entityId }));
};

/** Pairs of records that are both there; a pair with a missing side is simply not made. */
const edgesWanted = (resolved: readonly Resolved[], outcomes: Outcomes) =>
  resolved.flatMap((one) =>
    one.targets.flatMap((target) =>
      one.statements.flatMap((statement, from) =>
        statement.related.flatMap((to) => {
          const left = outcomeAt(one, from, target, outcomes);
          const right = outcomeAt(one, to, target, outcomes);
          const other = one.statements[to];
          return left?.kind === 'linked' && right?.kind === 'linked' && other
            ? [
                {
                  tenantId: one.item.tenantId,
                  sourceId: target,
                  fromType: statement.recordType,
                  fromId: left.externalId,
                  toType: other.recordType,
                  toId: right.externalId,
                },
              ]
            : [];
        }),
      ),
    ),
  );

type Told = Awaited<ReturnType<WriteStore['toldAt']>>;

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

/** Every need is answered; should one not be, its event is kept rather than called done. */
const unanswered: NeedOutcome = {
  kind: 'defer',
  retryAtMs: null,
  counts: true,
  reason: 'need-unanswered',
};

const targetEndings = (
  one: Resolved,
  outcomes: Outcomes,
  associated: ReadonlyMap<SourceId, NeedOutcome>,
  told: Told,
): readonly TargetEnding[] => {
  const last = one.statements.length - 1;
  const entityId = one.entityIds[last];
  if (!entityId) return [];
  const appEnding: TargetEnding = {
    target: one.item.operation.event.sourceId,
    entityId,
    main: {
      kind: 'linked',
      externalId: one.item.operation.event.externalId,
      wrote: null,
      again: false,
    },
    mentioned: [],
    associations: null,
    isTold: false,
  };
  // Nobody but the app is to hear of it: the clean feed has told, the ledger is the evidence.
  if (one.targets.length === 0) return [appEnding];
  return one.targets.map((target) => ({
    target,
    entityId,
    main: outcomeAt(one, last, target, outcomes) ?? unanswered,
    mentioned: one.statements
      .slice(0, last)
      .flatMap((_, index) => outcomeAt(one, index, target, outcomes) ?? []),
    associations: associated.get(target) ?? null,
    isTold: (told.get(one.item.operation.event.eventKey) ?? []).some(
      (at) => at.target === target && at.entityId === entityId,
    ),
  }));
};
