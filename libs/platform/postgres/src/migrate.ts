import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Queryable, Tx } from './db.js';
import { DbError } from './db-error.js';
import { planMigrations, type AppliedMigration, type MigrationFile } from './migration-plan.js';
import { createPool } from './pool.js';

export interface MigrateOptions {
  /** Connection of the *owner* role, which may create the schema; never the service's own role. */
  readonly url: string;
  readonly schema: string;
  /** The service's login role, to which the migration files grant. It must exist. */
  readonly role: string;
  /** Folder of `NNNN_verb_noun.sql` files. */
  readonly dir: string;
}

/** A migration folder and a database that do not belong together. `code` says how. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/;
/** Long enough to rewrite a large table; the default of the pool is meant for requests. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 15 * 60_000;

/**
 * Brings one schema up to date and returns the names of the files it ran. Several processes may
 * start it at once: an advisory lock lets one work while the others wait and then find nothing
 * to do. Each file runs in its own transaction together with its row in `<schema>.migrations`.
 * Throws MigrationFault (nothing was changed) or DbError.
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  if (!IDENTIFIER.test(options.schema)) {
    throw new MigrationFault('schema-name', `${options.schema} is not a plain schema name`);
  }
  const files = await readMigrations(options.dir);
  const db = createPool({
    url: options.url,
    max: 1,
    name: `migrate-${options.schema}`,
    statementTimeoutMs: MIGRATION_STATEMENT_TIMEOUT_MS,
  });
  try {
    await assertRoleExists(db, options.role);
    return await runPending(db, options.schema, files);
  } finally {
    await db.close();
  }
}

/** The files of a folder, with their hashes. */
async function readMigrations(dir: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql'));
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function assertRoleExists(db: Queryable, role: string): Promise<void> {
  const rows = await db.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rows.length === 0) {
    throw new MigrationFault('role-missing', `role ${role} does not exist; create it first`);
  }
}

async function runPending(
  db: Db,
  schema: string,
  files: readonly MigrationFile[],
): Promise<readonly string[]> {
  const ran: string[] = [];
  for (;;) {
    const name = await db.transaction((tx) => runNext(tx, schema, files));
    if (name === null) return ran;
    ran.push(name);
  }
}

/** Runs the next pending file under the lock, which ends with the transaction. */
async function runNext(
  tx: Tx,
  schema: string,
  files: readonly MigrationFile[],
): Promise<string | null> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('counterpart-migrate/' || $1, 0))`,
    [schema],
  );
  await tx.query(`create schema if not exists ${schema}`);
  await tx.query(
    `create table if not exists ${schema}.migrations (
       name text primary key,
       sha256 text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const applied = await tx.query<AppliedMigration>(`select name, sha256 from ${schema}.migrations`);
  const plan = planMigrations(files, applied);
  if (!plan.ok) throw new MigrationFault(plan.code, plan.detail);
  const next = plan.pending[0];
  if (next === undefined) return null;
  await runFile(tx, next);
  await tx.query(`insert into ${schema}.migrations (name, sha256) values ($1, $2)`, [
    next.name,
    next.sha256,
  ]);
  return next.name;
}

async function runFile(tx: Tx, file: MigrationFile): Promise<void> {
  try {
    await tx.query(file.sql);
  } catch (error) {
    if (!(error instanceof DbError)) throw error;
    throw new DbError(`${file.name}: ${error.message}`, error.code, false, error.constraint, {
      cause: error.cause,
    });
  }
}
