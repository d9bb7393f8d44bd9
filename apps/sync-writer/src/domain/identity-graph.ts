import {
  hash128,
  type EntityChangeKind,
  type EntityId,
  type EventKey,
  type ExternalId,
  type Fields,
  type RecordType,
  type SourceId,
  type TenantId,
} from '@counterpart/sync-model';
import {
  mappingKey,
  type IdentityChanges,
  type IdentitySnapshot,
  type KeyMove,
} from './identity-snapshot.js';
import type { Base, Entity, Mapping } from './work.js';

const sameBase = (a: Base, b: Base): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([field, value]) => {
    const other = b[field];
    return (
      other?.meant === value.meant &&
      other.stored === value.stored &&
      other.writtenAtMs === value.writtenAtMs &&
      other.contested === value.contested
    );
  });

/** What the graph decides about a mapping; its base is compared field by field. */
const sayTheSame = (a: Mapping, b: Mapping): boolean =>
  a.entityId === b.entityId && a.status === b.status && sameBase(a.base, b.base);

/** Who asks for a change of the graph, for the messages it causes. */
export interface Cause {
  readonly eventKey: EventKey;
  readonly originSourceId: SourceId;
  readonly occurredAtMs: number;
  readonly traceparent: string | null;
}

/**
 * The identity graph of one tenant while a batch is decided: the snapshot, with what earlier events
 * of the batch changed laid over it. It answers and remembers; it decides nothing.
 */
export class IdentityGraph {
  private readonly touchedEntities = new Map<EntityId, Entity>();
  private readonly fresh = new Set<EntityId>();
  private readonly touchedMappings = new Map<string, Mapping>();
  private readonly keyMoves = new Map<string, KeyMove>();
  private readonly changes: IdentityChanges['entityChanges'][number][] = [];
  private readonly messages: IdentityChanges['mappingMessages'][number][] = [];

  constructor(
    private readonly tenantId: TenantId,
    private readonly snapshot: IdentitySnapshot,
    private readonly nowMs: number,
  ) {}

  record(sourceId: SourceId, recordType: RecordType, externalId: ExternalId): Mapping | undefined {
    const key = mappingKey(this.tenantId, { sourceId, recordType, externalId });
    return this.touchedMappings.get(key) ?? this.snapshot.records.get(key);
  }

  /** Follows merges to the entity that stands for it now. */
  entity(entityId: EntityId): Entity | undefined {
    const entity = this.touchedEntities.get(entityId) ?? this.snapshot.entities.get(entityId);
    return entity?.status === 'merged' && entity.mergedInto !== null
      ? this.entity(entity.mergedInto)
      : entity;
  }

  keyOwner(keyHash: string): Entity | undefined {
    const move = this.keyMoves.get(keyHash);
    if (move?.how === 'remove') return undefined;
    const owner = move?.entityId ?? this.snapshot.keys.get(keyHash);
    return owner === undefined ? undefined : this.entity(owner);
  }

  /** Every mapping of an entity, at all sources. */
  mappingsOf(entityId: EntityId): readonly Mapping[] {
    const all = new Map<string, Mapping>();
    for (const mapping of this.snapshot.mappings)
      all.set(mappingKey(this.tenantId, mapping), mapping);
    for (const [key, mapping] of this.touchedMappings) all.set(key, mapping);
    return [...all.values()].filter((mapping) => mapping.entityId === entityId);
  }

  linkedAt(entityId: EntityId, sourceId: SourceId, recordType: RecordType): Mapping | undefined {
    return this.mappingsOf(entityId).find(
      (m) => m.sourceId === sourceId && m.recordType === recordType && m.status === 'linked',
    );
  }

  sendingAt(sourceId: SourceId, recordType: RecordType, entityId: EntityId | null) {
    return this.snapshot.sending.find(
      (claim) =>
        claim.sourceId === sourceId &&
        claim.recordType === recordType &&
        (entityId === null || claim.entityId === entityId),
    );
  }

  create(entity: Entity): void {
    this.fresh.add(entity.entityId);
    this.touchedEntities.set(entity.entityId, entity);
  }

  /** Saves what nobody needs to hear of: the same values, with a later time. */
  confirm(entity: Entity): void {
    this.touchedEntities.set(entity.entityId, entity);
  }

  /** Saves an entity's next version and says so on the clean feed. */
  change(entity: Entity, change: EntityChangeKind, fields: Fields, cause: Cause): Entity {
    const next = {
      ...entity,
      version: this.fresh.has(entity.entityId) && change === 'created' ? 1 : entity.version + 1,
    };
    this.touchedEntities.set(next.entityId, next);
    this.changes.push({
      messageId: hash128(`${this.tenantId}|${next.entityId}|${next.version}`),
      tenantId: this.tenantId,
      entityId: next.entityId,
      entityType: next.entityType,
      change,
      version: next.version,
      fields,
      mergedInto: next.mergedInto,
      originSourceId: cause.originSourceId,
      eventKey: cause.eventKey,
      occurredAtMs: cause.occurredAtMs,
      traceparent: cause.traceparent,
    });
    return next;
  }

  map(mapping: Mapping, entityType: RecordType, cause: Cause): void {
    const before = this.record(mapping.sourceId, mapping.recordType, mapping.externalId);
    this.touchedMappings.set(mappingKey(this.tenantId, mapping), mapping);
    if (before?.status === mapping.status && before.entityId === mapping.entityId) return;
    this.messages.push({
      tenantId: this.tenantId,
      sourceId: mapping.sourceId,
      recordType: mapping.recordType,
      externalId: mapping.externalId,
      entityId: mapping.entityId,
      entityType,
      status: mapping.status,
      origin: mapping.origin,
      updatedAtMs: this.nowMs,
      traceparent: cause.traceparent,
    });
  }

  moveKey(move: KeyMove): void {
    this.keyMoves.set(move.keyHash, move);
  }

  /** Hands every key of one entity to another (known ones only, which are all of the batch). */
  keysOf(entityId: EntityId): readonly string[] {
    const owned = new Map(this.snapshot.keys);
    for (const [hash, move] of this.keyMoves) owned.set(hash, move.entityId);
    return [...owned].flatMap(([hash, owner]) => (owner === entityId ? [hash] : []));
  }

  toChanges(): IdentityChanges {
    const entities = [...this.touchedEntities.values()];
    return {
      newEntities: entities.filter((entity) => this.fresh.has(entity.entityId)),
      entities: entities.filter((entity) => !this.fresh.has(entity.entityId)),
      keys: [...this.keyMoves.values()],
      mappings: [...this.touchedMappings].flatMap(([key, mapping]) => {
        const before = this.snapshot.records.get(key);
        return before !== undefined && sayTheSame(before, mapping)
          ? []
          : [{ ...mapping, takenFrom: before?.entityId ?? null }];
      }),
      entityChanges: this.changes,
      mappingMessages: this.messages,
    };
  }
}
