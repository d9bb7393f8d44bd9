import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the parts of a running stack answer; written by `npm run dev` and `npm test`. */
export interface TestEnv {
  readonly stack: string;
  readonly kafkaBrokers: readonly string[];
  readonly schemaRegistryUrl: string;
  readonly postgres: { readonly host: string; readonly port: number; readonly adminUrl: string };
  readonly databaseUrls: Readonly<Record<string, string>>;
  readonly redisUrl: string;
  readonly services: Readonly<Record<string, string>>;
  readonly secretsDir: string;
  readonly otlpUrl?: string;
}

/** The root of the repository: the folder of `apps` and `libs`. */
export const repositoryRoot = join(__dirname, '../../..');

/**
 * Reads `.run/<stack>/env.json` of the stack named by COUNTERPART_STACK, else `test`. Throws one
 * sentence when no such stack was started.
 */
export function testEnv(): TestEnv {
  const stack = process.env['COUNTERPART_STACK'] ?? 'test';
  const path = join(repositoryRoot, '.run', stack, 'env.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`stack "${stack}" is not running: start it with npm run dev, or run npm test`);
  }
  return JSON.parse(text) as TestEnv;
}
