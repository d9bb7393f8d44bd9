import type { Count } from '../format/checks.js';
import type { Json, JsonObject } from '../format/json.js';

/** True when the count lies within the bounds. */
export function countOk(count: Count, measured: number): boolean {
  if (typeof count === 'number') return measured === count;
  return measured >= (count.min ?? 0) && measured <= (count.max ?? Infinity);
}

/** `3`, `at least 1`, `at most 5`, `1 to 5`. */
export function countText(count: Count): string {
  if (typeof count === 'number') return String(count);
  if (count.min === undefined) return count.max === undefined ? 'any' : `at most ${count.max}`;
  return count.max === undefined ? `at least ${count.min}` : `${count.min} to ${count.max}`;
}

/**
 * Does a value hold all that `wanted` says? Keys may be dotted (`fields.phone`). Plain values are
 * compared as text, since CRMs hand everything out as text; null is empty, missing or null. Or an
 * object: `{ not: x }`, `{ oneOf: [x, y] }`, `{ matches: regex }`, `{ present: true }`.
 */
export function holds(wanted: JsonObject, value: unknown): boolean {
  return Object.entries(wanted).every(([key, want]) => valueHolds(want, valueAt(value, key)));
}

/** The whole key first, since a name may contain dots; then step by step. */
export function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const direct: unknown = Reflect.get(value, key);
  const dot = key.indexOf('.');
  if (direct !== undefined || dot < 0) return direct;
  return valueAt(Reflect.get(value, key.slice(0, dot)), key.slice(dot + 1));
}

export function valueHolds(want: Json, value: unknown): boolean {
  if (want === null) return isEmpty(value);
  if (Array.isArray(want)) return JSON.stringify(want) === JSON.stringify(value);
  if (typeof want === 'object')
    return Object.entries(want).every(([test, argument]) => testHolds(test, argument, value));
  return String(want) === (isEmpty(value) ? '' : String(value));
}

function testHolds(test: string, argument: Json, value: unknown): boolean {
  switch (test) {
    case 'not':
      return !valueHolds(argument, value);
    case 'oneOf':
      return Array.isArray(argument) && argument.some((one: Json) => valueHolds(one, value));
    case 'matches':
      return new RegExp(String(argument), 'u').test(isEmpty(value) ? '' : String(value));
    case 'present':
      return isEmpty(value) !== argument;
    default:
      throw new Error(`unknown test '${test}'; known: not, oneOf, matches, present`);
  }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** `email ada@example.com, phone (empty)`: a condition as a reader says it. */
export function conditionText(wanted: JsonObject): string {
  return Object.entries(wanted)
    .map(([key, want]) => `${key} ${wantText(want)}`)
    .join(', ');
}

function wantText(want: Json): string {
  if (want === null) return '(empty)';
  return typeof want === 'object' ? JSON.stringify(want) : String(want);
}
