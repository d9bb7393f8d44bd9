import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { adminUrl } from './parts/postgres.mjs';
import { recordOf, writeJson } from './processes.mjs';
import { APPS_WITH_TABLES, SERVICES } from './service-specs.mjs';

/**
 * `.run/<stack>/env.json` tells programs outside the launcher where everything is.
 * It is derived: from the stack's ports and from the records of its processes.
 */

/** Contents of env.json for a stack, without its processes. */
export function describeStack({ paths, ports, engine, hasJaeger }) {
  const local = (port) => `http://127.0.0.1:${port}`;
  const names = Object.keys(SERVICES);
  return {
    stack: paths.name,
    engine,
    ports,
    kafkaBrokers: [`127.0.0.1:${ports.kafka}`],
    schemaRegistryUrl: `${local(ports.registry)}/apis/ccompat/v7`,
    postgres: { host: '127.0.0.1', port: ports.postgres, adminUrl: adminUrl(ports.postgres) },
    databaseUrls: databaseUrls(ports.postgres),
    redisUrl: `redis://127.0.0.1:${ports.redis}`,
    services: Object.fromEntries(names.map((name) => [name, local(ports[name])])),
    secretsDir: paths.secrets,
    ...(hasJaeger && {
      otlpUrl: `${local(ports.jaegerOtlp)}/v1/traces`,
      jaegerUrl: local(ports.jaegerUi),
    }),
  };
}

function databaseUrls(port) {
  const apps = Object.entries(APPS_WITH_TABLES);
  return Object.fromEntries(apps.map(([app, role]) => [app, databaseUrl(port, role)]));
}

/** URL of a role on the database `counterpart`; in development a role's password is its name. */
export function databaseUrl(port, role) {
  return `postgres://${role}:${role}@127.0.0.1:${port}/counterpart`;
}

/** env.json as an object, or undefined when the stack never started. */
export function readEnvFile(paths) {
  try {
    return JSON.parse(readFileSync(paths.envFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes env.json with the processes of this moment, and returns it. */
export function writeEnvFile(paths, description) {
  mkdirSync(paths.dir, { recursive: true });
  mkdirSync(paths.secrets, { recursive: true });
  for (;;) {
    const processes = currentProcesses(paths);
    const contents = { ...description, processes };
    writeJson(paths.envFile, contents);
    // Another command may have restarted something between our look and our write.
    if (JSON.stringify(currentProcesses(paths)) === JSON.stringify(processes)) return contents;
  }
}

function currentProcesses(paths) {
  const files = listOrEmpty(paths.pids).filter((file) => file.endsWith('.json'));
  const names = files.map((file) => file.slice(0, -'.json'.length)).sort();
  const records = names.map((name) => [name, recordOf(paths, name)]);
  return Object.fromEntries(
    records
      .filter(([, record]) => record !== undefined)
      .map(([name, { pid, args, envFile }]) => [name, { pid, args, envFile }]),
  );
}

function listOrEmpty(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
