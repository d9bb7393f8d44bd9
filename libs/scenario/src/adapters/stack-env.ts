import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackEnv } from '../application/ports.js';
import { objectOf, textOf } from './json-http.js';

/** There is no such stack, or it has never been started. */
export class NoStack extends Error {
  constructor(name: string, file: string) {
    super(
      `stack '${name}' is not running (${file} is missing); start it: npm run dev -- --stack ${name}`,
    );
  }
}

/** Reads `.run/<stack>/env.json` under `root`. Throws NoStack. */
export function readStackEnv(root: string, name: string): StackEnv {
  const file = join(root, '.run', name, 'env.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new NoStack(name, file);
  }
  const env = objectOf(JSON.parse(text));
  const brokers = Array.isArray(env['kafkaBrokers']) ? env['kafkaBrokers'] : [];
  const services = Object.entries(objectOf(env['services']));
  return {
    name,
    kafkaBrokers: brokers.map(textOf),
    schemaRegistryUrl: textOf(env['schemaRegistryUrl']),
    redisUrl: textOf(env['redisUrl']),
    services: Object.fromEntries(services.map(([service, url]) => [service, textOf(url)])),
    secretsDir: textOf(env['secretsDir']),
  };
}
