import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which schema and role an app owns, from the `counterpart` key of its package.json. */
export interface AppSchema {
  readonly schema: string;
  readonly role: string;
  /** Absolute or relative folder of the migration files. */
  readonly migrationsDir: string;
}

/** Reads `{ "counterpart": { "schema", "role" } }` of `<appDir>/package.json`; throws when absent. */
export async function readAppSchema(appDir: string): Promise<AppSchema> {
  const manifest: unknown = JSON.parse(await readFile(join(appDir, 'package.json'), 'utf8'));
  const { counterpart } = manifest as { counterpart?: { schema?: unknown; role?: unknown } };
  if (typeof counterpart?.schema !== 'string' || typeof counterpart.role !== 'string') {
    throw new Error(`${appDir}/package.json names no "counterpart": { "schema", "role" }`);
  }
  return {
    schema: counterpart.schema,
    role: counterpart.role,
    migrationsDir: join(appDir, 'migrations'),
  };
}
