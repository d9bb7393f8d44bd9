import type { ObjectType } from './object-types.js';

/** Who made a change, as the record's history and the webhooks tell it. */
export interface ChangeOrigin {
  /** `INTEGRATION`, `CRM_UI`, `AUTOMATION_PLATFORM` … an open set. */
  readonly source: string;
  /** `456` (the app), `userId:7`, `workflowId:…`. */
  readonly sourceId: string;
  readonly userId: number | null;
  /** How many automations stand between this change and whoever started it. */
  readonly depth: number;
}

/** One past value of a property. */
export interface PropertyVersion {
  readonly value: string;
  readonly atMs: number;
  readonly origin: ChangeOrigin;
}

/** One record. Mutated only by the functions of this folder, which keep every index in step. */
export interface CrmRecord {
  readonly type: ObjectType;
  readonly id: string;
  readonly createdAtMs: number;
  readonly createdBy: ChangeOrigin;
  updatedAtMs: number;
  archivedAtMs: number | null;
  /** The record this one was merged into; reads of this id answer with that one. */
  mergedInto: string | null;
  /** Never shown again, not even as archived. */
  erased: boolean;
  /** Canonical values by property; absent means empty. Replaced, never edited: the index shares it. */
  properties: ReadonlyMap<string, string>;
  readonly history: Map<string, PropertyVersion[]>;
}

/** HubSpot keeps 45 versions of a contact's property; the bound also keeps the process small. */
const HISTORY_MAX = 45;

/** Puts values in place, newest first in the history. Returns the names that really changed. */
export function applyValues(
  record: CrmRecord,
  values: ReadonlyMap<string, string>,
  origin: ChangeOrigin,
  atMs: number,
): string[] {
  const changed = [...values].filter(
    ([name, value]) => (record.properties.get(name) ?? '') !== value,
  );
  if (changed.length === 0) return [];
  const next = new Map(record.properties);
  for (const [name, value] of changed) {
    if (value === '') next.delete(name);
    else next.set(name, value);
    const versions = record.history.get(name) ?? [];
    record.history.set(name, [{ value, atMs, origin }, ...versions].slice(0, HISTORY_MAX));
  }
  record.properties = next;
  return changed.map(([name]) => name);
}

/** True when the record can be found, read and written in the ordinary way. */
export const isLive = (record: CrmRecord): boolean =>
  record.archivedAtMs === null && record.mergedInto === null && !record.erased;
