import type { EntityId, SourceId } from '@counterpart/sync-model';
import { targetsOf, type SyncPlan } from '@counterpart/sync-plan';
import type { Resolution } from '../domain/decide-identity.js';
import { ranksOf, type Statement } from '../domain/statements.js';
import { needKey, type Need, type WorkItem } from '../domain/work.js';
import type { SettlePorts } from './settle-ports.js';
import { writeNeeds, type Outcomes } from './write-needs.js';

/** An item whose records are all resolved to entities. */
export interface Resolved extends Omit<Extract<Resolution, { kind: 'proceed' }>, 'kind'> {
  readonly item: WorkItem;
  readonly statements: readonly Statement[];
  /** The other CRMs; with its own source when that is to get the entity's values back. */
  readonly targets: readonly SourceId[];
}

/** Rank by rank, so that a record is written after those it refers to; each group side by side. */
export const writeRanks = async (
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
        if (!isTarget(target, statement, item, plan)) continue;
        const need = needOf(item, statement, entityId, target);
        const group = `${target}\u001f${statement.recordType}`;
        const needs = groups.get(group) ?? new Map<string, Need>();
        if (!needs.has(needKey(need))) needs.set(needKey(need), need);
        groups.set(group, needs);
      }
    });
  return [...groups.values()].map((needs) => [...needs.values()]);
};

/** An event's own source is a target of its own record only. */
const isTarget = (
  target: SourceId,
  { standing, recordType }: Statement,
  { operation: { event } }: WorkItem,
  plan: SyncPlan,
): boolean =>
  target === event.sourceId
    ? standing === 'main'
    : targetsOf(plan, event.sourceId, recordType).includes(target);

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
