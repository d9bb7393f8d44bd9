import { parseArgs } from 'node:util';
import { readAppSchema } from './app-schema.js';
import { DbError } from './db-error.js';
import { migrate, MigrationFault } from './migrate.js';

const USAGE = 'usage: OWNER_DATABASE_URL=postgres://… node migrate-cli.js --app apps/<service>';

/** Migrates one app's schema; prints what ran. Exit 64: wrong call, 65: refused, 69: no database. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { app: { type: 'string' } } });
  const url = process.env['OWNER_DATABASE_URL'];
  if (values.app === undefined || url === undefined) {
    console.error(USAGE);
    return 64;
  }
  const app = await readAppSchema(values.app);
  try {
    const ran = await migrate({ url, schema: app.schema, role: app.role, dir: app.migrationsDir });
    console.log(
      ran.length === 0 ? `${app.schema}: up to date` : `${app.schema}: ${ran.join(', ')}`,
    );
    return 0;
  } catch (error) {
    if (error instanceof MigrationFault) {
      console.error(`${app.schema}: ${error.message}`);
      return 65;
    }
    if (error instanceof DbError) {
      console.error(`${app.schema}: ${error.message}`);
      return 69;
    }
    throw error;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
