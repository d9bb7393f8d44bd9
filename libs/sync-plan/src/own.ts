/** Own property only: `constructor` sent as a record type must not find `Object.prototype`. */
export function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Entries of something that may not be a table at all; a broken plan is still checked as a whole. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** One member of something that may not be a table at all. */
export function memberOf(value: unknown, key: string): unknown {
  return new Map(entriesOf(value)).get(key);
}
