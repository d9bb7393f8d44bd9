import {
  decideInbound,
  fingerprintOfValue,
  type FieldType,
  type Fields,
  type SourceEvent,
} from '@counterpart/sync-model';
import { recordPlanOf } from '@counterpart/sync-plan';
import type { IdentityWorld } from './find-entity.js';
import type { Cause, IdentityGraph } from './identity-graph.js';
import { matchKeysOf } from './identity-snapshot.js';
import type { Statement } from './statements.js';
import type { Base, Entity, Provenance } from './work.js';

export interface Applying {
  readonly graph: IdentityGraph;
  readonly cause: Cause;
  readonly world: IdentityWorld;
}

/** Lays a statement's fields over the entity by ownership, links the record, registers its keys. */
export const applyStatement = (
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
    registerKeys(next, apply, graph, world);
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
        exclusive: event.provider !== 'app',
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

/** Only keys in what was just taken over can be new; the others were registered with their value. */
const registerKeys = (
  entity: Entity,
  applied: Fields,
  graph: IdentityGraph,
  world: IdentityWorld,
): void => {
  const plan = recordPlanOf(world.plan, entity.entityType);
  for (const keyHash of matchKeysOf(world.plan.tenantId, entity.entityType, plan, applied)) {
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
