import type { EntityId, SourceId } from '@counterpart/sync-model';
import { targetsOf, type SyncPlan } from '@counterpart/sync-plan';
import type { Resolution } from '../domain/decide-identity.js';
import { ranksOf, type Statement } from '../domain/statements.js';
import type { Need, WorkItem } from '../domain/work.js';
import type { SettlePorts } from './settle-ports.js';
import { writeGroups } from './write-groups.js';
import type { Outcomes } from './write-needs.js';

/** An item whose records are all resolved to entities. */
export interface Resolved extends Omit<Extract<Resolution, { kind: 'proceed' }>, 'kind'> {
  readonly item: WorkItem;
  readonly statements: readonly Statement[];
  /** The other CRMs; with its own source when that is to get the entity's values back. */
  readonly targets: readonly SourceId[];
}

/** Rank by rank, so that a record is written after those it refers to. */
export const writeRanks = async (
  resolved: readonly Resolved[],
  plan: SyncPlan,
  ports: SettlePorts,
): Promise<Outcomes> => {
  const outcomes: Outcomes = new Map();
  const ranks = ranksOf(resolved.map(({ statements }) => statements));
  for (const rank of [...new Set(ranks.values())].sort((a, b) => a - b)) {
    const needs = needsOf(resolved, plan, (recordType) => ranks.get(recordType) === rank);
    for (const [key, outcome] of await writeGroups(needs, plan, ports)) outcomes.set(key, outcome);
  }
  return outcomes;
};

const needsOf = (
  resolved: readonly Resolved[],
  plan: SyncPlan,
  isInRank: (recordType: string) => boolean,
): readonly Need[] =>
  resolved.flatMap(({ item, statements, entityIds, targets }) =>
    statements.flatMap((statement, index) => {
      const entityId = entityIds[index];
      if (!entityId || !isInRank(statement.recordType)) return [];
      return targets
        .filter((target) => isTarget(target, statement, item, plan))
        .map((target) => needOf(item, statement, entityId, target));
    }),
  );

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
