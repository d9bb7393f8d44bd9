/**
 * The processes that run our own programs, and the app each runs; its port has the same name in
 * ports.mjs. `sync-writer-2` is a second instance of the same app: two writers must agree.
 */
export const SERVICES = Object.freeze({
  'crm-sim': 'crm-sim',
  ingest: 'ingest',
  dedupe: 'dedupe',
  'sync-writer': 'sync-writer',
  'sync-writer-2': 'sync-writer',
  reconciler: 'reconciler',
});

/**
 * Apps with tables, and the login role of each. The owner of the tables, by whom migrations run, is
 * `<role>_owner`.
 */
export const APPS_WITH_TABLES = Object.freeze({
  ingest: 'ingest',
  dedupe: 'dedupe',
  'sync-writer': 'sync_writer',
  reconciler: 'reconciler',
});

/**
 * Environment of one process from env.json: only what the app reads, so that nothing of the
 * developer's own environment changes how a service behaves.
 * @param {string} name key of SERVICES @param {string} instanceId unique for each start
 */
export function serviceEnv(name, stack, instanceId, outer) {
  const app = SERVICES[name];
  const http = { HTTP_HOST: '127.0.0.1', HTTP_PORT: String(stack.ports[name]) };
  const base = { PATH: outer.PATH, TZ: 'UTC', LOG_LEVEL: outer.LOG_LEVEL ?? 'info', ...http };
  if (app === 'crm-sim') return base;
  return {
    ...base,
    INSTANCE_ID: instanceId,
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
    DATABASE_URL: stack.databaseUrls[app],
    SECRETS_DIR: stack.secretsDir,
    ALLOW_PRIVATE_ADDRESSES: 'true',
    ...(stack.otlpUrl && { OTLP_URL: stack.otlpUrl }),
    ...(app === 'ingest' && { PUBLIC_URL: stack.services.ingest }),
    ...(app === 'sync-writer' && { REDIS_URL: stack.redisUrl }),
  };
}
