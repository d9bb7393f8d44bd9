/**
 * How Avro values look in our code. The reader of `avsc` is used with three of its types replaced:
 *
 * - maps and arrays refuse a count that the rest of the message cannot hold. avsc believes any
 *   count, so a single damaged byte would keep the process busy for hours;
 * - maps are read into objects without a prototype, so that a field called `__proto__` or
 *   `constructor` is a key like any other;
 * - enums are spelled in code as everywhere else, with hyphens (`no-op`), which Avro does not
 *   allow in a symbol (`no_op`).
 *
 * avsc has no public hook for this; the methods with an underscore are its extension points since
 * version 3, and the version is pinned exactly. The specs beside this file would notice a change.
 */
import type { Resolver, Schema } from 'avsc';
import { Type, types } from 'avsc';
import type { AvroSchema } from './schema-files.js';

/** The bytes end before the value does. */
export class TruncatedError extends Error {
  override readonly name = 'TruncatedError';
}

/** The bytes say something no valid message says. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}

interface Tap {
  readonly buf: Buffer;
  readonly pos: number;
  readLong(): number;
  skipLong(): void;
  readString(): string | undefined;
  writeLong(value: number): void;
}
interface Reader {
  _read(tap: Tap): unknown;
}

/** Deeper nesting than any real message has; keeps readers behind us from overflowing. */
const nestingMax = 64;
let nesting = 0;

/** Count of the next block; 0 ends the value. Every item takes at least one byte. */
function readCount(tap: Tap): number {
  let count = tap.readLong();
  if (count < 0) {
    count = -count;
    tap.skipLong();
  }
  if (count > tap.buf.length - tap.pos) throw new TruncatedError('a count exceeds the message');
  return count;
}

class SafeMapType extends types.MapType {
  _read(this: { valuesType: Reader }, tap: Tap): Record<string, unknown> {
    const read: Record<string, unknown> = Object.create(null);
    for (let count = readCount(tap); count > 0; count = readCount(tap)) {
      for (; count > 0; count -= 1) {
        const key = tap.readString();
        if (key === undefined) throw new TruncatedError('a map key exceeds the message');
        read[key] = this.valuesType._read(tap);
      }
    }
    return read;
  }
}

class SafeArrayType extends types.ArrayType {
  _read(this: { itemsType: Reader }, tap: Tap): unknown[] {
    const read: unknown[] = [];
    if (nesting >= nestingMax) throw new MalformedError('nested too deep');
    nesting += 1;
    try {
      for (let count = readCount(tap); count > 0; count = readCount(tap)) {
        for (; count > 0; count -= 1) read.push(this.itemsType._read(tap));
      }
    } finally {
      nesting -= 1;
    }
    return read;
  }
}

const spelledOf = (symbol: string): string => symbol.replaceAll('_', '-');
const symbolOf = (spelled: string): string => spelled.replaceAll('-', '_');

class SpelledEnumType extends types.EnumType {
  _read(this: { symbols: readonly string[] }, tap: Tap): string {
    const symbol = this.symbols[tap.readLong()];
    if (symbol === undefined) throw new MalformedError('an enum index is not known');
    return spelledOf(symbol);
  }

  _check(value: unknown, _flags: unknown, hook?: (value: unknown, type: Type) => void): boolean {
    const known = typeof value === 'string' && this.symbols.includes(symbolOf(value));
    if (!known) hook?.(value, this);
    return known;
  }

  _write(tap: Tap, value: unknown): void {
    const index = typeof value === 'string' ? this.symbols.indexOf(symbolOf(value)) : -1;
    if (index < 0) throw new MalformedError(`not a value of ${this.name ?? 'the enum'}`);
    tap.writeLong(index);
  }

  /** Called for the default value in a schema, which is a symbol. */
  _copy(value: string): string {
    return spelledOf(value);
  }
}

function replacementFor(schema: Schema, options: object): Type | undefined {
  if (typeof schema !== 'object' || Array.isArray(schema) || Type.isType(schema)) return undefined;
  const kind: unknown = 'type' in schema ? schema.type : undefined;
  if (kind === 'map') return new SafeMapType(schema, options);
  if (kind === 'array') return new SafeArrayType(schema, options);
  if (kind === 'enum') return new SpelledEnumType(schema, options);
  return undefined;
}

/** A schema ready to encode, or to read with. Throws on a schema that is not valid Avro. */
export function typeOf(schema: AvroSchema): Type {
  return Type.forSchema(schema as Schema, {
    omitRecordMethods: true,
    noAnonymousTypes: true,
    typeHook: replacementFor,
  });
}

/** Reads one value and every byte of the buffer. Throws `TruncatedError` or another error. */
export function readValue(type: Type, bytes: Buffer, resolver: Resolver | undefined): unknown {
  nesting = 0;
  try {
    return type.fromBuffer(bytes, resolver);
  } catch (error) {
    if (error instanceof Error && error.message === 'truncated buffer') {
      throw new TruncatedError('the message ends too early', { cause: error });
    }
    throw error;
  }
}
