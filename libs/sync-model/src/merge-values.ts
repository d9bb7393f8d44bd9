import { fingerprintOfValue } from './fingerprints.js';
import type { FieldType, FieldValue } from './fields.js';
import { normaliseValue } from './normalise.js';

/** A source id of the plan, `last-change`, or `review`. */
export type FieldOwner = string;

/** Total order of two changes: time, then fingerprint, so that both directions name one winner. */
export const isLater = (
  a: { readonly atMs: number; readonly value: FieldValue },
  b: { readonly atMs: number; readonly value: FieldValue },
): boolean =>
  a.atMs === b.atMs ? fingerprintOfValue(a.value) > fingerprintOfValue(b.value) : a.atMs > b.atMs;

/** Compared in canonical form; a value its type refuses is compared as it is. */
export const canonical = (
  type: FieldType | undefined,
  value: FieldValue | undefined,
): FieldValue | undefined => {
  if (value === undefined || type === undefined) return value;
  const result = normaliseValue(type, value);
  return result.ok ? result.value : value;
};

/** Equality of two canonical values. */
export const same = (a: FieldValue, b: FieldValue): boolean =>
  fingerprintOfValue(a) === fingerprintOfValue(b);
