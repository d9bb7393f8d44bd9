import type { EntityId, SourceEvent } from '@counterpart/sync-model';
import { recordPlanOf, type SyncPlan } from '@counterpart/sync-plan';
import type { Resolution } from './decide-identity.js';
import type { IdentityGraph } from './identity-graph.js';
import { matchKeysOf } from './identity-snapshot.js';
import type { Statement } from './statements.js';
import type { Entity, Mapping } from './work.js';

export interface IdentityWorld {
  readonly plan: SyncPlan;
  readonly nowMs: number;
  readonly newEntityId: () => EntityId;
}

/** Whom a statement is about, or why nobody can be named now. */
export type Found =
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'nobody' }
  | Exclude<Resolution, { kind: 'proceed' }>;

/**
 * By the record's own mapping, else by a match key that names exactly one entity, else a new one.
 * Never a guess: two candidates, or a key that is somebody else's, go to a person.
 */
export const findEntity = (
  statement: Statement,
  event: SourceEvent,
  graph: IdentityGraph,
  world: IdentityWorld,
): Found => {
  const mapping =
    statement.externalId === null
      ? undefined
      : graph.record(event.sourceId, statement.recordType, statement.externalId);
  const known = mapping === undefined ? undefined : graph.entity(mapping.entityId);
  const keys = matchKeysOf(
    world.plan.tenantId,
    statement.recordType,
    recordPlanOf(world.plan, statement.recordType),
    statement.fields,
  );
  const owners = new Map(
    keys.flatMap((key) => {
      const owner = graph.keyOwner(key);
      return owner === undefined ? [] : [[owner.entityId, owner] as const];
    }),
  );
  if (known !== undefined) return knownRecord(known, mapping, owners, statement, event);
  const [owner, other] = owners.values();
  if (owner !== undefined && other !== undefined)
    return review(owner.entityId, 'several-entities-match');
  if (owner !== undefined) return matchedRecord(owner, statement, event, graph, world);
  if (statement.standing === 'mention' && keys.length === 0 && statement.externalId === null)
    return { kind: 'nobody' };
  return newRecord(statement, event, graph, world, keys.length > 0);
};

const review = (entityId: EntityId, reason: string): Found => ({
  kind: 'settled',
  entityId,
  outcome: 'needs-review',
  reason,
});

const superseded = (entityId: EntityId, reason: string): Found => ({
  kind: 'settled',
  entityId,
  outcome: 'superseded',
  reason,
});

const knownRecord = (
  known: Entity,
  mapping: Mapping | undefined,
  owners: ReadonlyMap<EntityId, Entity>,
  statement: Statement,
  event: SourceEvent,
): Found => {
  const revives = event.kind === 'created' || event.kind === 'restored';
  if (statement.standing === 'main') {
    if (mapping?.status === 'tombstone' && !revives)
      return superseded(known.entityId, 'record-deleted');
    if (known.status === 'deleted' && !revives) return superseded(known.entityId, 'entity-deleted');
    // A changed address that belongs to somebody else joins nobody: a person decides.
    for (const owner of owners.keys())
      if (owner !== known.entityId) return review(known.entityId, 'match-key-taken');
  }
  return { kind: 'entity', entity: known };
};

/** The record is new to us, its match key is not. */
const matchedRecord = (
  owner: Entity,
  statement: Statement,
  event: SourceEvent,
  graph: IdentityGraph,
  world: IdentityWorld,
): Found => {
  if (statement.standing === 'mention') return { kind: 'entity', entity: owner };
  // The early echo: our own create at this very source may not have been answered yet.
  const sending = graph.sendingAt(event.sourceId, statement.recordType, owner.entityId);
  if (sending) return { kind: 'wait', claimKey: sending.claimKey, untilMs: sending.untilMs };
  // The app may have two records of one person; two at a CRM are a question.
  if (
    event.provider !== 'app' &&
    graph.linkedAt(owner.entityId, event.sourceId, statement.recordType)
  )
    return review(owner.entityId, 'second-record-with-one-match-key');
  if (owner.status !== 'live') {
    // Only a new record said to be created speaks for a second life; a late change does not.
    return event.kind === 'created' || event.kind === 'restored'
      ? newRecord(statement, event, graph, world, true)
      : superseded(owner.entityId, `entity-${owner.status}`);
  }
  return { kind: 'entity', entity: owner };
};

const newRecord = (
  statement: Statement,
  event: SourceEvent,
  graph: IdentityGraph,
  world: IdentityWorld,
  hasKey: boolean,
): Found => {
  // A record without a key may be the one our own unanswered create has made. With a key it is not:
  // the key would have led to the entity that is being created.
  if (!hasKey && statement.standing === 'main' && event.provider !== 'app') {
    const sending = graph.sendingAt(event.sourceId, statement.recordType, null);
    if (sending) return { kind: 'wait', claimKey: sending.claimKey, untilMs: sending.untilMs };
  }
  const entity: Entity = {
    entityId: world.newEntityId(),
    entityType: statement.recordType,
    status: 'live',
    mergedInto: null,
    version: 0,
    fields: {},
    provenance: {},
  };
  graph.create(entity);
  return { kind: 'entity', entity };
};
