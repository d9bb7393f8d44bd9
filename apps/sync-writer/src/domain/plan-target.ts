import {
  decideMerge,
  fingerprintOfValue,
  type ExternalId,
  type FieldType,
  type FieldValue,
  type Fields,
  type SourceId,
} from '@counterpart/sync-model';
import type { Base, Entity, Mapping } from './work.js';

/** What has to happen at one target so that it shows what the entity says. */
export type TargetPlan =
  | { readonly kind: 'create'; readonly fields: Fields }
  | {
      readonly kind: 'update';
      readonly externalId: ExternalId;
      readonly fields: Fields;
      readonly expectedVersion: string | null;
    }
  | { readonly kind: 'none'; readonly externalId: ExternalId }
  | { readonly kind: 'gone'; readonly reason: string };

export interface TargetPolicy {
  readonly target: SourceId;
  /** Canonical fields that the target maps. */
  readonly mapped: readonly string[];
  readonly ownerOf: (field: string) => string;
}

/**
 * Three-way per field: the base is what we last meant and the source stored. A field is written
 * when the entity has moved away from what we meant there, the target does not own it and nobody is
 * to decide between the two sides first. A field
 * the entity knows nothing of is never touched, and a deleted record is never made again.
 */
export const planTarget = (
  entity: Entity,
  mapping: Mapping | undefined,
  policy: TargetPolicy,
): TargetPlan => {
  if (mapping?.status === 'tombstone') return { kind: 'gone', reason: 'deleted-at-target' };
  if (entity.status !== 'live') return { kind: 'gone', reason: `entity-${entity.status}` };
  if (mapping === undefined) return { kind: 'create', fields: pick(entity, policy, () => true) };
  const fields = pick(
    entity,
    policy,
    (field, value) =>
      policy.ownerOf(field) !== policy.target &&
      mapping.base[field]?.contested !== true &&
      mapping.base[field]?.meant !== fingerprintOfValue(value),
  );
  return Object.keys(fields).length === 0
    ? { kind: 'none', externalId: mapping.externalId }
    : {
        kind: 'update',
        externalId: mapping.externalId,
        fields,
        expectedVersion: mapping.versionToken,
      };
};

const pick = (
  entity: Entity,
  policy: TargetPolicy,
  wanted: (field: string, value: FieldValue) => boolean,
): Fields =>
  Object.fromEntries(
    policy.mapped.flatMap((field) => {
      const value = entity.fields[field];
      return value !== undefined && wanted(field, value) ? [[field, value]] : [];
    }),
  );

/** The base after a confirmed write: what we sent, beside what the source says it stored. */
export const baseAfterWrite = (
  before: Base,
  sent: Fields,
  stored: Fields,
  writtenAtMs: number,
): Base => {
  const after: Record<string, Base[string]> = { ...before };
  for (const [field, value] of Object.entries(sent)) {
    const meant = fingerprintOfValue(value);
    const kept = stored[field];
    after[field] = {
      meant,
      stored: kept === undefined ? meant : fingerprintOfValue(kept),
      writtenAtMs,
    };
  }
  return after;
};

/**
 * The base of a record that was there before us, from the three-way merge with no base. What the
 * merge keeps is made quiet (meaning what the entity says), what it writes stays different from the
 * entity, so that the next plan writes it. Hearsay never competes with a value that is there.
 */
export const baseOfAdopted = (
  entity: Entity,
  stored: Fields,
  policy: TargetPolicy & {
    readonly owners: Readonly<Record<string, string>>;
    readonly types: Readonly<Record<string, FieldType>>;
  },
): Base => {
  const base: Record<string, Base[string]> = {};
  const ours = pick(entity, policy, () => true);
  const decisions = decideMerge({
    base: {},
    theirs: stored,
    ours,
    owners: policy.owners,
    types: policy.types,
    targetSourceId: policy.target,
  });
  for (const decision of decisions) {
    const there = stored[decision.field] ?? null;
    const mine = ours[decision.field] ?? null;
    const hearsay = entity.provenance[decision.field]?.standing === 'mention' && there !== null;
    const written = decision.kind === 'write' && !hearsay;
    base[decision.field] = {
      meant: fingerprintOfValue(written ? there : mine),
      stored: fingerprintOfValue(there),
      ...(decision.kind === 'review' && !hearsay ? { contested: true as const } : {}),
    };
  }
  return base;
};
