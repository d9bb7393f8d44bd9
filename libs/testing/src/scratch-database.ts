import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPool, migrate, readAppSchema, type Db } from '@counterpart/platform-postgres';
import { repositoryRoot, testEnv } from './test-env.js';

export interface ScratchDatabase {
  readonly name: string;
  /** As the app's service role, like the running service. */
  readonly db: Db;
  readonly url: string;
  /** As the owner of the tables: for looking around and for breaking things on purpose. */
  readonly owner: Db;
  readonly ownerUrl: string;
  /** The same database as any other role of the cluster: `scratch.as('dedupe')`. */
  as(role: string): Db;
  /** Closes every pool and drops the database, whoever still uses it. */
  drop(): Promise<void>;
}

const POOL_MAX = 4;

/**
 * A database of its own for one test file, with the schema of an app (`reconciler`) built by its
 * real migrations under its owner role; more apps' schemas beside it where a test needs them.
 */
export async function scratchDatabase(
  app: string,
  ...others: readonly string[]
): Promise<ScratchDatabase> {
  const apps = await Promise.all([app, ...others].map((name) => readAppSchema(appDir(name))));
  const scratch = await emptyDatabase(apps.map(({ role }) => role));
  try {
    for (const { schema, role, migrationsDir } of apps) {
      const url = scratch.urlOf(ownerOf(role));
      await migrate({ url, schema, role, dir: migrationsDir });
    }
  } catch (error) {
    await scratch.drop();
    throw error;
  }
  const { role } = apps[0] ?? { role: app };
  return {
    name: scratch.name,
    db: scratch.as(role),
    url: scratch.urlOf(role),
    owner: scratch.as(ownerOf(role)),
    ownerUrl: scratch.urlOf(ownerOf(role)),
    as: scratch.as,
    drop: scratch.drop,
  };
}

const appDir = (app: string): string => join(repositoryRoot, 'apps', app);
const ownerOf = (role: string): string => `${role}_owner`;

export interface EmptyDatabase {
  readonly name: string;
  /** Connects as the cluster's administrator and then acts with the rights of `role` only. */
  urlOf(role: string): string;
  as(role: string): Db;
  drop(): Promise<void>;
}

/** A database without tables, in which the owners of the given roles may create their schema. */
export async function emptyDatabase(roles: readonly string[] = []): Promise<EmptyDatabase> {
  const { adminUrl } = testEnv().postgres;
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, async (admin) => {
    await admin.query(`create database ${name}`);
    for (const role of roles) {
      await admin.query(`grant connect, create on database ${name} to ${ownerOf(role)}`);
    }
  });
  const pools: Db[] = [];
  const urlOf = (role: string): string => {
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    url.searchParams.set('options', `-c role=${role}`);
    return url.toString();
  };
  return {
    name,
    urlOf,
    as: (role) => {
      const pool = createPool({ url: urlOf(role), max: POOL_MAX, name: `test-${role}` });
      pools.push(pool);
      return pool;
    },
    drop: async () => {
      await Promise.all(pools.map((pool) => pool.close().catch(() => undefined)));
      await asAdmin(adminUrl, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

async function asAdmin(url: string, work: (admin: Db) => Promise<unknown>): Promise<void> {
  const admin = createPool({ url, max: 1, name: 'test-admin' });
  try {
    await work(admin);
  } finally {
    await admin.close();
  }
}
