import {
  fingerprintOfValue,
  type FieldValue,
  type Fields,
  type Fingerprint,
  type InboundDecision,
  type InboundRefusal,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { Base, Entity, FieldBase } from './work.js';

/*
 * What a source holds by now, and since when, from what it told, what we read there and what we
 * wrote there. The three come in any order and at any delay; docs/adr/0011 says why it is so.
 */

/** How something was heard of. */
export interface Heard {
  readonly event: SourceEvent;
  /** When its fields were read by us: what the source held then, whenever they came about. */
  readonly readAtMs: number | null;
  /** What the event itself told before we read; null when nothing was read. */
  readonly stated: Fields | null;
}

/**
 * What the source now holds, as it said itself, beside what we mean there. What it says of a moment
 * before our last write of a field was done is history, and nothing is known of what it holds now:
 * ours, or what it said after our request had arrived. So the field is written once more.
 */
export const observedBase = (
  before: Base,
  fields: Fields,
  heard: Heard,
  entity: Entity,
  decision: InboundDecision,
): Base => {
  const unchanged = refusedAs('unchanged-at-source', decision);
  const contested = refusedAs('needs-review', decision);
  const after: Record<string, FieldBase> = { ...before };
  for (const [field, value] of Object.entries(fields)) {
    const known = before[field];
    const stored = fingerprintOfValue(value);
    const ours = fingerprintOfValue(entity.fields[field] ?? null);
    if (contested.includes(field)) after[field] = { meant: ours, stored, contested: true };
    else if (unchanged.includes(field) || (known?.stored === stored && !known.contested)) continue;
    else if (known !== undefined && isHistory(known, heard))
      after[field] = { ...known, meant: nothingKnown, stored: nothingKnown };
    else
      after[field] = {
        meant: meantBy(stored, ours, known, decision.restore[field]),
        stored,
      };
  }
  return after;
};

/** No value has this fingerprint, so whatever the entity says is written. */
const nothingKnown = '' as Fingerprint;

const isHistory = (known: FieldBase, { event, readAtMs }: Heard): boolean =>
  known.writtenAtMs !== undefined && (readAtMs ?? event.occurredAtMs) < known.writtenAtMs;

/**
 * The value itself where we took it over or hold it anyway; where it lost against a later change,
 * too, so that the entity's differing value is written back.
 */
const meantBy = (
  stored: Fingerprint,
  ours: Fingerprint,
  known: FieldBase | undefined,
  restored: FieldValue | undefined,
): Fingerprint => (restored !== undefined || ours === stored ? stored : (known?.meant ?? stored));

/** Of these fields the source holds what we meant once, or we cannot tell; the entity says another. */
export const isBehind = (entity: Entity, fields: Fields, base: Base): boolean =>
  Object.keys(fields).some((field) => {
    const [known, value] = [base[field], entity.fields[field]];
    if (value === undefined || known?.contested) return false;
    return known?.meant !== fingerprintOfValue(value);
  });

/**
 * What we read before our last write of a field was done says nothing: not what is there now, nor
 * when it came about.
 */
export const stillTrue = (fields: Fields, base: Base, heard: Heard): Fields =>
  heard.readAtMs === null
    ? fields
    : Object.fromEntries(
        Object.entries(fields).filter(([field]) => {
          const known = base[field];
          return known === undefined || !isHistory(known, heard);
        }),
      );

/**
 * When a value came about. One that we read and that is not what we wrote was put there after our
 * write, even if the event that made us read is older.
 */
export const saidAtMs = (
  field: string,
  value: FieldValue | undefined,
  known: FieldBase | undefined,
  { event, stated }: Heard,
): number => {
  const told = stated?.[field];
  const isTold = stated === null || (told !== undefined && isSame(told, value));
  return isTold ? event.occurredAtMs : Math.max(event.occurredAtMs, known?.writtenAtMs ?? 0);
};

/** Fields that were not taken over, for this reason. */
export const refusedAs = (why: InboundRefusal, { rejected }: InboundDecision): readonly string[] =>
  rejected.flatMap(({ field, reason }) => (reason === why ? [field] : []));

/** No value and a cleared one are the same at a source. */
export const isSame = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  fingerprintOfValue(a ?? null) === fingerprintOfValue(b ?? null);
