import {
  decideInbound,
  fingerprintOfValue,
  type FieldType,
  type Fields,
  type InboundDecision,
  type SourceEvent,
} from '@counterpart/sync-model';
import { recordPlanOf } from '@counterpart/sync-plan';
import type { IdentityWorld } from './find-entity.js';
import type { Cause, IdentityGraph } from './identity-graph.js';
import { matchKeysOf } from './identity-snapshot.js';
import {
  isBehind,
  isSame,
  observedBase,
  refusedAs,
  saidAtMs,
  stillTrue,
  type Heard,
} from './observed-base.js';
import type { Statement } from './statements.js';
import type { Base, Entity, FieldBase, Provenance } from './work.js';

/** What a statement is part of. */
export interface Applying extends Heard {
  readonly graph: IdentityGraph;
  readonly cause: Cause;
  readonly world: IdentityWorld;
}

/** What a statement did. */
export interface Applied {
  readonly changed: boolean;
  /** Its source holds an older change than the entity: the entity's values go back there. */
  readonly restores: boolean;
  /** Both sides changed these fields, and the plan wants a person to decide. */
  readonly contested: readonly string[];
}

const nothing: Applied = { changed: false, restores: false, contested: [] };

/** Lays a statement's fields over the entity by ownership, links the record, registers its keys. */
export const applyStatement = (entity: Entity, whole: Statement, applying: Applying): Applied => {
  const { event, graph, cause, world } = applying;
  if (entity.status !== 'live' && event.kind !== 'created' && event.kind !== 'restored')
    return nothing;
  const mapping =
    whole.externalId === null
      ? undefined
      : graph.record(event.sourceId, whole.recordType, whole.externalId);
  const before = mapping?.base ?? {};
  const statement = { ...whole, fields: stillTrue(whole.fields, before, applying) };
  const atMs = (field: string) => saidAtMs(field, statement.fields[field], before[field], applying);
  const decision = decideFields(entity, before, statement, applying, atMs);
  const { apply } = decision;
  const isNew = entity.version === 0;
  const changed = Object.keys(apply).length > 0 || isNew || entity.status !== 'live';
  const heard = {
    ...entity,
    status: 'live',
    provenance: confirmedBy(entity, statement, before, event),
  } as const;
  const next = withFields(heard, apply, (field) => ({
    atMs: atMs(field),
    sourceId: event.sourceId,
    standing: statement.standing,
  }));
  if (changed) {
    const kind = isNew ? 'created' : entity.status !== 'live' ? 'restored' : 'changed';
    graph.change(next, kind, kind === 'changed' ? apply : next.fields, cause);
    registerKeys(next, apply, graph, world);
  } else if (heard.provenance !== entity.provenance) graph.confirm(next);
  const isApp = event.provider === 'app';
  const base = isApp ? {} : observedBase(before, statement.fields, applying, next, decision);
  if (statement.externalId !== null) {
    graph.map(
      {
        sourceId: event.sourceId,
        recordType: statement.recordType,
        externalId: statement.externalId,
        entityId: entity.entityId,
        status: mapping?.status === 'alias' ? 'alias' : 'linked',
        origin: mapping?.origin ?? 'observed',
        base,
        versionToken: mapping?.versionToken ?? null,
        exclusive: !isApp,
      },
      entity.entityType,
      cause,
    );
  }
  return {
    changed,
    restores: !isApp && statement.standing === 'main' && isBehind(next, statement.fields, base),
    contested: refusedAs('needs-review', decision),
  };
};

const decideFields = (
  entity: Entity,
  base: Base,
  statement: Statement,
  { event, readAtMs, world }: Applying,
  atMs: (field: string) => number,
): InboundDecision => {
  if (statement.standing === 'mention') {
    const apply = Object.fromEntries(
      Object.entries(statement.fields).filter(
        ([field, value]) => value !== null && entity.fields[field] === undefined,
      ),
    );
    return { apply, rejected: [], restore: {} };
  }
  const plan = recordPlanOf(world.plan, statement.recordType);
  const fields = Object.entries(plan?.fields ?? {});
  const bases = Object.entries(base);
  // A change that is told of a value we only saw there says when that came about; of a value that we
  // wrote it is the echo.
  const isNews = ({ writtenAtMs }: FieldBase): boolean =>
    event.shape === 'delta' && readAtMs === null && writtenAtMs === undefined;
  const decision = decideInbound({
    entity: heardOnly(entity),
    base: Object.fromEntries(
      bases.flatMap(([field, known]) => (isNews(known) ? [] : [[field, known.stored]])),
    ),
    meant: Object.fromEntries(bases.map(([field, { meant }]) => [field, meant])),
    incoming: saidBySource(statement.fields, base, event),
    owners: Object.fromEntries(fields.map(([field, { owner }]) => [field, owner])),
    types: Object.fromEntries(fields.map(([field, { fieldType }]) => [field, fieldType])) as Record<
      string,
      FieldType
    >,
    originSourceId: event.sourceId,
    incomingAtMs: Object.fromEntries(
      Object.keys(statement.fields).map((field) => [field, atMs(field)]),
    ),
    entityChangedAtMs: Object.fromEntries(
      Object.entries(entity.provenance).map(([field, { atMs }]) => [field, atMs]),
    ),
    entityChangedBy: Object.fromEntries(
      Object.entries(entity.provenance).map(([field, { sourceId }]) => [field, sourceId]),
    ),
  });
  const apply = Object.fromEntries(
    Object.entries(decision.apply).filter(
      ([field, value]) => value !== null || entity.fields[field] !== undefined,
    ),
  );
  return { ...decision, apply };
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

/**
 * Somebody who sets the value that we have sets it at his time: an earlier change that comes later
 * must not win against him. What we wrote ourselves and hear again is nobody's doing.
 */
const confirmedBy = (
  entity: Entity,
  { standing, fields }: Statement,
  base: Base,
  { shape, occurredAtMs }: SourceEvent,
): Entity['provenance'] => {
  if (standing === 'mention' || shape !== 'delta') return entity.provenance;
  const confirmed = Object.entries(fields).flatMap(([field, value]) => {
    const [before, known] = [entity.provenance[field], base[field]];
    const isEcho = known?.writtenAtMs !== undefined && known.stored === fingerprintOfValue(value);
    const isLater = before !== undefined && before.atMs < occurredAtMs;
    return isLater && isSame(value, entity.fields[field]) && !isEcho
      ? [[field, { ...before, atMs: occurredAtMs, standing }] as const]
      : [];
  });
  return confirmed.length === 0
    ? entity.provenance
    : { ...entity.provenance, ...Object.fromEntries(confirmed) };
};

const withFields = (
  entity: Entity,
  apply: Fields,
  provenanceOf: (field: string) => Provenance,
): Entity => ({
  ...entity,
  fields: { ...entity.fields, ...apply },
  provenance: {
    ...entity.provenance,
    ...Object.fromEntries(Object.keys(apply).map((field) => [field, provenanceOf(field)])),
  },
});

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
