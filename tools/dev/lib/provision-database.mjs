import { databaseUrl } from './env-file.mjs';
import { adminUrl } from './parts/postgres.mjs';
import { APPS_WITH_TABLES } from './service-specs.mjs';

const DATABASE = 'counterpart';
const ROLES = Object.values(APPS_WITH_TABLES);

/**
 * Makes the database and its roles where missing: for each service a login role, which may do nothing
 * until a migration grants it something, and an owner role, which runs the migrations.
 */
export async function provisionDatabase(port) {
  await withClient(adminUrl(port), async (client) => {
    const existing = await client.query('select rolname from pg_roles');
    const known = new Set(existing.rows.map((row) => row.rolname));
    const wanted = ROLES.flatMap((role) => [role, `${role}_owner`]);
    for (const role of wanted.filter((name) => !known.has(name))) {
      await client.query(`create role ${role} login password '${role}'`);
    }
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    for (const role of ROLES) {
      await client.query(`grant connect, create on database ${DATABASE} to ${role}_owner`);
    }
  });
}

/** URL by which an app's migrations run. */
export function ownerUrl(port, role) {
  return databaseUrl(port, `${role}_owner`);
}

async function withClient(url, work) {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
