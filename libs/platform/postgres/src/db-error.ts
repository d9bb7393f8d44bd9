import { DatabaseError } from 'pg';

/**
 * The one error that leaves this library. `code` is the SQLSTATE, or a network code such as
 * `ECONNREFUSED`, and is what callers branch on. The message never repeats a value: PostgreSQL
 * quotes the offending input in its own messages, and that may be personal data.
 */
export class DbError extends Error {
  override readonly name = 'DbError';
  constructor(
    message: string,
    readonly code: string,
    /** True when a COMMIT was sent and its answer was lost: the work may be stored. */
    readonly outcomeUnknown: boolean,
    readonly constraint: string | null,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

interface RawPgError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
  readonly message?: unknown;
}

const fieldsOf = (error: unknown): RawPgError =>
  typeof error === 'object' && error !== null ? (error as RawPgError) : {};

const textOr = <F>(value: unknown, otherwise: F): string | F =>
  typeof value === 'string' && value !== '' ? value : otherwise;

/** Reported by a session that ends with the report: shutdown, lost connection, idle too long. */
const endsSession = /^(57P0\d|08...|25P0[34])$/;

/**
 * True when the server itself said that the statement failed, and the session goes on. (The
 * severity would say the same, but in the language of the server.)
 */
export const isServerVerdict = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code !== undefined && !endsSession.test(error.code);

/**
 * Classes 22 and 23 carry row values in their texts, so those are replaced; other texts name
 * tables, columns and states only and stay.
 */
function safeMessage(code: string, raw: RawPgError): string {
  if (code.startsWith('22')) return `PostgreSQL refused a value (${code})`;
  if (code.startsWith('23')) {
    const where = textOr(raw.constraint, textOr(raw.table, 'a constraint'));
    return `PostgreSQL: ${where} is violated (${code})`;
  }
  return `PostgreSQL: ${textOr(raw.message, 'no answer')} (${code})`;
}

/** Wraps whatever pg threw. A DbError passes through unchanged. */
export function toDbError(error: unknown, outcomeUnknown = false): DbError {
  if (error instanceof DbError) return error;
  const raw = fieldsOf(error);
  const code = textOr(raw.code, 'connection-lost');
  const constraint = textOr(raw.constraint, null);
  return new DbError(safeMessage(code, raw), code, outcomeUnknown, constraint, { cause: error });
}
