import {
  decideInbound,
  fingerprintOfValue,
  type EntityId,
  type FieldType,
  type Fields,
  type SourceEvent,
  type SourceId,
} from '@counterpart/sync-model';
import { recordPlanOf, sourcePlanOf, type SyncPlan } from '@counterpart/sync-plan';
import { buryRecord, mergeRecords } from './follow-graph.js';
import { IdentityGraph, type Cause } from './identity-graph.js';
import { matchKeysOf, type IdentityChanges, type IdentitySnapshot } from './identity-snapshot.js';
import { statementsOf, type Statement } from './statements.js';
import type { Base, Entity, Mapping, Provenance } from './work.js';

/** One event of the batch, with hydrated fields where its shape was a hint. */
export interface Arrival {
  readonly event: SourceEvent;
  readonly traceparent: string | null;
}

export type Resolution =
  /** Entity per statement of `statementsOf(event)`; null where one names nobody. */
  | {
      readonly kind: 'proceed';
      readonly entityIds: readonly (EntityId | null)[];
      readonly changed: boolean;
    }
  | { readonly kind: 'wait'; readonly claimKey: string; readonly untilMs: number }
  | {
      readonly kind: 'settled';
      readonly entityId: EntityId | null;
      readonly outcome: 'applied' | 'no-op' | 'superseded' | 'needs-review';
      readonly reason: string;
    };

export interface IdentityWorld {
  readonly plan: SyncPlan;
  readonly nowMs: number;
  readonly newEntityId: () => EntityId;
}

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
      return resolveStatements(event, graph, cause, world);
    case 'created':
    case 'changed':
    case 'restored':
    case 'associated':
    case 'readback':
      return resolveStatements(event, graph, cause, world);
    default:
      return event.kind satisfies never;
  }
};

const isCrmOf = (plan: SyncPlan) => (sourceId: SourceId) =>
  sourcePlanOf(plan, sourceId)?.kind === 'crm';

const resolveStatements = (
  event: SourceEvent,
  graph: IdentityGraph,
  cause: Cause,
  world: IdentityWorld,
): Resolution => {
  const entityIds: (EntityId | null)[] = [];
  let changed = false;
  for (const statement of statementsOf(event)) {
    const found = findEntity(statement, event, graph, world);
    if (found.kind === 'wait' || found.kind === 'settled') return found;
    if (found.kind === 'nobody') {
      entityIds.push(null);
      continue;
    }
    changed = applyStatement(found.entity, statement, event, { graph, cause, world }) || changed;
    entityIds.push(found.entity.entityId);
  }
  return { kind: 'proceed', entityIds, changed };
};

type Found =
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'nobody' }
  | Exclude<Resolution, { kind: 'proceed' }>;

const findEntity = (
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
  return newRecord(statement, event, graph, world);
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
  if (graph.linkedAt(owner.entityId, event.sourceId, statement.recordType))
    return review(owner.entityId, 'second-record-with-one-match-key');
  if (owner.status !== 'live') {
    // Only a new record said to be created speaks for a second life; a late change does not.
    return event.kind === 'created' || event.kind === 'restored'
      ? newRecord(statement, event, graph, world)
      : superseded(owner.entityId, `entity-${owner.status}`);
  }
  return { kind: 'entity', entity: owner };
};

const newRecord = (
  statement: Statement,
  event: SourceEvent,
  graph: IdentityGraph,
  world: IdentityWorld,
): Found => {
  if (statement.standing === 'main' && event.provider !== 'app') {
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

interface Applying {
  readonly graph: IdentityGraph;
  readonly cause: Cause;
  readonly world: IdentityWorld;
}

/** Lays a statement's fields over the entity by ownership, links the record, registers its keys. */
const applyStatement = (
  entity: Entity,
  statement: Statement,
  event: SourceEvent,
  { graph, cause, world }: Applying,
): boolean => {
  if (entity.status !== 'live' && event.kind !== 'created' && event.kind !== 'restored')
    return false;
  const mapping =
    statement.externalId === null
      ? undefined
      : graph.record(event.sourceId, statement.recordType, statement.externalId);
  const apply = acceptedFields(entity, mapping?.base ?? {}, statement, event, world);
  const isNew = entity.version === 0;
  const changed = Object.keys(apply).length > 0 || isNew || entity.status !== 'live';
  if (changed) {
    const next = withFields({ ...entity, status: 'live' }, apply, provenanceOf(statement, event));
    const kind = isNew ? 'created' : entity.status !== 'live' ? 'restored' : 'changed';
    graph.change(next, kind, kind === 'changed' ? apply : next.fields, cause);
    registerKeys(next, graph, world);
  }
  if (statement.externalId !== null) {
    graph.map(
      {
        sourceId: event.sourceId,
        recordType: statement.recordType,
        externalId: statement.externalId,
        entityId: entity.entityId,
        status: mapping?.status === 'alias' ? 'alias' : 'linked',
        origin: mapping?.origin ?? 'observed',
        base:
          event.provider === 'app'
            ? {}
            : observedBase(mapping?.base ?? {}, statement.fields, apply),
        versionToken: mapping?.versionToken ?? null,
      },
      entity.entityType,
      cause,
    );
  }
  return changed;
};

const acceptedFields = (
  entity: Entity,
  base: Base,
  statement: Statement,
  event: SourceEvent,
  world: IdentityWorld,
): Fields => {
  if (statement.standing === 'mention')
    return Object.fromEntries(
      Object.entries(statement.fields).filter(
        ([field, value]) => value !== null && entity.fields[field] === undefined,
      ),
    );
  const plan = recordPlanOf(world.plan, statement.recordType);
  const fields = Object.entries(plan?.fields ?? {});
  const decision = decideInbound({
    entity: heardOnly(entity),
    base: Object.fromEntries(Object.entries(base).map(([field, { stored }]) => [field, stored])),
    incoming: saidBySource(statement.fields, base, event),
    owners: Object.fromEntries(fields.map(([field, { owner }]) => [field, owner])),
    types: Object.fromEntries(fields.map(([field, { fieldType }]) => [field, fieldType])) as Record<
      string,
      FieldType
    >,
    originSourceId: event.sourceId,
    incomingAtMs: event.occurredAtMs,
    entityChangedAtMs: Object.fromEntries(
      Object.entries(entity.provenance).map(([field, { atMs }]) => [field, atMs]),
    ),
  });
  return Object.fromEntries(
    Object.entries(decision.apply).filter(
      ([field, value]) => value !== null || entity.fields[field] !== undefined,
    ),
  );
};

/**
 * A CRM shows every field it has, blank ones too. A blank says "cleared" only of a field that we
 * know it held; of any other it says nothing. The app states a clear on purpose.
 */
const saidBySource = (fields: Fields, base: Base, event: SourceEvent): Fields =>
  event.provider === 'app'
    ? fields
    : Object.fromEntries(
        Object.entries(fields).filter(
          ([field, value]) => value !== null || base[field] !== undefined,
        ),
      );

/** A value that is only hearsay gives way to whoever speaks for the record itself. */
const heardOnly = (entity: Entity): Fields =>
  Object.fromEntries(
    Object.entries(entity.fields).filter(
      ([field]) => entity.provenance[field]?.standing !== 'mention',
    ),
  );

const provenanceOf = (statement: Statement, event: SourceEvent): Provenance => ({
  atMs: event.occurredAtMs,
  sourceId: event.sourceId,
  standing: statement.standing,
});

const withFields = (entity: Entity, apply: Fields, provenance: Provenance): Entity => ({
  ...entity,
  fields: { ...entity.fields, ...apply },
  provenance: {
    ...entity.provenance,
    ...Object.fromEntries(Object.keys(apply).map((field) => [field, provenance])),
  },
});

/** What the source now holds, as it said itself; where we took it over, it is also what we mean. */
const observedBase = (before: Base, incoming: Fields, applied: Fields): Base => {
  const after: Record<string, Base[string]> = { ...before };
  for (const [field, value] of Object.entries(incoming)) {
    const stored = fingerprintOfValue(value);
    const meant = Object.hasOwn(applied, field) ? stored : (before[field]?.meant ?? stored);
    after[field] = { meant, stored };
  }
  return after;
};

const registerKeys = (entity: Entity, graph: IdentityGraph, world: IdentityWorld): void => {
  const plan = recordPlanOf(world.plan, entity.entityType);
  for (const keyHash of matchKeysOf(world.plan.tenantId, entity.entityType, plan, entity.fields)) {
    const owner = graph.keyOwner(keyHash);
    if (owner?.entityId === entity.entityId) continue;
    if (owner !== undefined && owner.status === 'live') continue;
    graph.moveKey({
      entityType: entity.entityType,
      keyHash,
      entityId: entity.entityId,
      how: owner === undefined ? 'insert' : 'move',
    });
  }
};
