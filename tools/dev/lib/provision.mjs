import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './command.mjs';
import { Fault } from './fault.mjs';
import { ownerUrl } from './provision-database.mjs';
import { APPS_WITH_TABLES } from './service-specs.mjs';

/**
 * Brings a stack up to what the code expects: each app's tables, the topics, the schemas. All of it is
 * done by the programs that production uses, and all of it may be repeated.
 */
export async function provision(paths, stack, { say }) {
  const migrations = Object.entries(APPS_WITH_TABLES).map(([app, role]) =>
    migrateApp(paths, stack, app, role),
  );
  await Promise.all([...migrations, provisionTopics(paths, stack)]);
  say('tables, topics and schemas are in place');
}

async function migrateApp(paths, stack, app, role) {
  if (!existsSync(join(paths.root, 'apps', app, 'migrations'))) return;
  const program = join('libs', 'platform', 'postgres', 'dist', 'migrate-cli.js');
  const env = { ...process.env, OWNER_DATABASE_URL: ownerUrl(stack.postgres.port, role) };
  await run(paths, [program, '--app', `apps/${app}`], env);
}

async function provisionTopics(paths, stack) {
  const program = join('libs', 'contracts', 'dist', 'provision-cli.js');
  const env = {
    ...process.env,
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: stack.schemaRegistryUrl,
  };
  await run(paths, [program], env);
}

async function run(paths, args, env) {
  const { code, stdout, stderr } = await capture([process.execPath, ...args], {
    cwd: paths.root,
    env,
  });
  if (code === 0) return;
  const output = `${stdout}${stderr}`.trim();
  throw new Fault(
    `${output}\nStack "${paths.name}" cannot be brought up to date; when its data is of an older time, start afresh: npm run down -- --stack ${paths.name} --data.`,
  );
}
