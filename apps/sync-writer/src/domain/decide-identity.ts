import type { EntityId, Fields, SourceEvent, SourceId } from '@counterpart/sync-model';
import { sourcePlanOf, type SyncPlan } from '@counterpart/sync-plan';
import { applyStatement, type Applied } from './apply-statement.js';
import { findEntity, type IdentityWorld } from './find-entity.js';
import { buryRecord, mergeRecords } from './follow-graph.js';
import { IdentityGraph, type Cause } from './identity-graph.js';
import type { IdentityChanges, IdentitySnapshot } from './identity-snapshot.js';
import { statementsOf } from './statements.js';

/** One event of the batch, with hydrated fields where its shape was a hint. */
export interface Arrival {
  readonly event: SourceEvent;
  /** When its fields were read at the source by us, because the event did not carry them. */
  readonly readAtMs?: number | null;
  /** What it told itself; null when nothing was read. */
  readonly stated?: Fields | null;
  readonly traceparent: string | null;
}

export type Resolution =
  /** Entity per statement of `statementsOf(event)`; null where one names nobody. */
  | {
      readonly kind: 'proceed';
      readonly entityIds: readonly (EntityId | null)[];
      readonly changed: boolean;
      /** Its own source is a target, too: it holds an older change than the entity. */
      readonly restores: boolean;
      /** Fields that both sides changed; a person decides. */
      readonly contested: readonly string[];
    }
  | { readonly kind: 'wait'; readonly claimKey: string; readonly untilMs: number }
  | {
      readonly kind: 'settled';
      readonly entityId: EntityId | null;
      readonly outcome: 'applied' | 'no-op' | 'superseded' | 'needs-review';
      readonly reason: string;
    };

/**
 * Who is each event about, and what does it change in what we know of them? Pure: decides a batch
 * over one snapshot, in order, each event seeing what the earlier ones changed. The store saves the
 * result in the transaction that loaded the snapshot; when another worker inserted one of the same
 * match keys meanwhile, nothing is saved and the batch is decided again over a new snapshot, which
 * then shows that worker's entity. So two workers that meet one new person agree on one entity.
 */
export const decideIdentity = (
  arrivals: readonly Arrival[],
  snapshot: IdentitySnapshot,
  world: IdentityWorld,
): { readonly changes: IdentityChanges; readonly resolutions: readonly Resolution[] } => {
  const graph = new IdentityGraph(world.plan.tenantId, snapshot, world.nowMs);
  const resolutions = arrivals.map((arrival) => resolve(arrival, graph, world));
  return { changes: graph.toChanges(), resolutions };
};

const resolve = (arrival: Arrival, graph: IdentityGraph, world: IdentityWorld): Resolution => {
  const { event, traceparent } = arrival;
  const cause: Cause = {
    eventKey: event.eventKey,
    originSourceId: event.sourceId,
    occurredAtMs: event.occurredAtMs,
    traceparent,
  };
  switch (event.kind) {
    case 'deleted':
    case 'erased':
      return buryRecord(event, graph, cause, isCrmOf(world.plan));
    case 'merged':
      mergeRecords(event, graph, cause);
      return resolveStatements(arrival, graph, cause, world);
    case 'created':
    case 'changed':
    case 'restored':
    case 'associated':
    case 'readback':
      return resolveStatements(arrival, graph, cause, world);
    default:
      return event.kind satisfies never;
  }
};

const isCrmOf = (plan: SyncPlan) => (sourceId: SourceId) =>
  sourcePlanOf(plan, sourceId)?.kind === 'crm';

const resolveStatements = (
  { event, readAtMs = null, stated = null }: Arrival,
  graph: IdentityGraph,
  cause: Cause,
  world: IdentityWorld,
): Resolution => {
  const entityIds: (EntityId | null)[] = [];
  const applied: Applied[] = [];
  for (const statement of statementsOf(event)) {
    const found = findEntity(statement, event, graph, world);
    if (found.kind === 'wait' || found.kind === 'settled') return found;
    if (found.kind === 'nobody') {
      entityIds.push(null);
      continue;
    }
    applied.push(
      applyStatement(found.entity, statement, { event, readAtMs, stated, graph, cause, world }),
    );
    entityIds.push(found.entity.entityId);
  }
  return {
    kind: 'proceed',
    entityIds,
    changed: applied.some(({ changed }) => changed),
    restores: applied.some(({ restores }) => restores),
    contested: applied.flatMap(({ contested }) => contested),
  };
};
