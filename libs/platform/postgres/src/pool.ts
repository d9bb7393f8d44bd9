import { Pool, types, type PoolClient } from 'pg';
import type { Db, Queryable, Tx } from './db.js';
import { DbError, isServerVerdict, toDbError } from './db-error.js';

export interface PoolOptions {
  /** `postgres://role:password@host:port/database`. */
  readonly url: string;
  /** Connections at most. Two to four serve two cores; more only queue inside PostgreSQL. */
  readonly max: number;
  /** Shown in pg_stat_activity: the service and instance. */
  readonly name: string;
  /** The server gives up a statement after this. Default 15 s. */
  readonly statementTimeoutMs?: number;
  /** Told of the loss of an idle connection; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: DbError) => void;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** A transaction that forgot to go on must not keep row locks and old row versions for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The client waits a little longer than the server, so a live server always names the reason. */
const ANSWER_GRACE_MS = 5_000;
const INT8_OID = 20;

/** A number that cannot be held exactly is a fault, never a silently rounded value. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint column exceeds 2^53');
  return value;
}

const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary' ? parseBigint : types.getTypeParser(oid, format),
};

/** A pool over one database. Connects on first use; a lost idle connection never ends the process. */
export function createPool(options: PoolOptions): Db {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: typeParsers as never,
  });
  pool.on('error', (error) => options.onConnectionLost?.(toDbError(error)));
  return {
    query: (sql, params) => withClient(pool, (client) => queryOn(client, sql, params)),
    transaction: (work) => withClient(pool, (client) => runTransaction(client, work)),
    close: () => pool.end(),
  };
}

async function queryOn<R extends object>(
  client: PoolClient,
  sql: string,
  params: readonly unknown[] = [],
): Promise<R[]> {
  try {
    const result = await client.query(sql, [...params]);
    return result.rows as R[];
  } catch (error) {
    throw toDbError(error);
  }
}

/**
 * A connection goes back to the pool only when the server itself answered; after a cut or a
 * time-out its state is unknown and it is thrown away.
 */
async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw toDbError(error);
  }
  let lost = false;
  const onError = (): void => {
    lost = true;
  };
  client.on('error', onError);
  try {
    return await use(client);
  } catch (error) {
    lost ||= error instanceof DbError && !isServerVerdict(error.cause);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

async function runTransaction<T>(client: PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx: Queryable = { query: (sql, params) => queryOn(client, sql, params) };
  await tx.query('begin');
  let result: T;
  try {
    result = await work(tx);
  } catch (error) {
    // A cut connection rolls back by itself, and one that timed out would not answer in time.
    if (!(error instanceof DbError) || isServerVerdict(error.cause)) await rollback(client);
    throw error;
  }
  await commit(client);
  return result;
}

/** A failed rollback is not reported: the connection is then broken and its work is gone anyway. */
async function rollback(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
  } catch {
    // The reason that led here is the one worth telling.
  }
}

async function commit(client: PoolClient): Promise<void> {
  let command: string;
  try {
    command = (await client.query('commit')).command;
  } catch (error) {
    throw toDbError(error, !isServerVerdict(error));
  }
  // PostgreSQL answers COMMIT of an aborted transaction with ROLLBACK and no error.
  if (command !== 'COMMIT') {
    throw new DbError('a failed statement was ignored; rolled back', '25P02', false, null);
  }
}
