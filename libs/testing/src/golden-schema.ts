import { readFileSync, writeFileSync } from 'node:fs';
import { describeSchema } from '@counterpart/platform-postgres';
import type { ScratchDatabase } from './scratch-database.js';

/**
 * A service's schema as its migrations make it, beside what its golden file says. With
 * UPDATE_GOLDEN=1 the file is written anew first.
 */
export const goldenSchema = async (
  scratch: ScratchDatabase,
  schema: string,
  file: string,
): Promise<{ readonly made: string; readonly golden: string }> => {
  const made = await describeSchema(scratch.owner, schema);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, made);
  return { made, golden: readFileSync(file, 'utf8') };
};
