import {
  matchKeyHash,
  matchValueOf,
  recordKey,
  type EntityChange,
  type EntityId,
  type Fields,
  type MappingMessage,
  type RecordRef,
  type RecordType,
  type SourceId,
  type TenantId,
} from '@counterpart/sync-model';
import type { RecordPlan } from '@counterpart/sync-plan';
import type { Entity, Mapping } from './work.js';

/** What a batch needs to know of the identity graph, loaded and locked in one transaction. */
export interface IdentitySnapshot {
  /** By `recordKey`. */
  readonly records: ReadonlyMap<string, Mapping>;
  /** Match key hash → entity. */
  readonly keys: ReadonlyMap<string, EntityId>;
  readonly entities: ReadonlyMap<EntityId, Entity>;
  /** All mappings of those entities. */
  readonly mappings: readonly Mapping[];
  /** Claims whose request may be under way, at sources that events of this batch come from. */
  readonly sending: readonly SendingClaim[];
}

export interface SendingClaim {
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly entityId: EntityId;
  readonly claimKey: string;
  readonly untilMs: number;
}

/** What to load for a batch. */
export interface IdentityRequest {
  readonly tenantId: TenantId;
  readonly records: readonly RecordRef[];
  readonly keys: readonly { readonly entityType: RecordType; readonly keyHash: string }[];
  readonly origins: readonly SourceId[];
  /** A merge moves every key of the entities it joins. */
  readonly withAllKeys: boolean;
}

export interface KeyMove {
  readonly entityType: RecordType;
  readonly keyHash: string;
  readonly entityId: EntityId;
  /** `insert`: nobody had it; a race with another worker makes the whole batch decide again. */
  readonly how: 'insert' | 'move' | 'remove';
}

export interface MappingChange extends Mapping {
  /** Whose record it was in the snapshot; null when nobody's. Anybody else's by now: decide again. */
  readonly takenFrom: EntityId | null;
}

/** What the decision wants changed, saved in the transaction that loaded the snapshot. */
export interface IdentityChanges {
  readonly newEntities: readonly Entity[];
  readonly entities: readonly Entity[];
  readonly keys: readonly KeyMove[];
  readonly mappings: readonly MappingChange[];
  readonly entityChanges: readonly (EntityChange & { readonly traceparent: string | null })[];
  readonly mappingMessages: readonly (MappingMessage & { readonly traceparent: string | null })[];
}

/** The match keys that a record's fields hold, strongest first. */
export const matchKeysOf = (
  tenantId: TenantId,
  recordType: RecordType,
  plan: RecordPlan | undefined,
  fields: Fields,
): readonly string[] =>
  (plan?.match ?? []).flatMap((field) => {
    const type = plan?.fields[field]?.fieldType;
    const value = type === undefined ? null : matchValueOf(type, fields[field]);
    return value === null || value === '' ? [] : [matchKeyHash(tenantId, recordType, field, value)];
  });

/** The text by which a mapping is found within its tenant. */
export const mappingKey = (tenantId: TenantId, mapping: Omit<RecordRef, 'tenantId'>): string =>
  recordKey({ tenantId, ...mapping });
