import {
  parseConfig,
  serviceSettings,
  settings,
  type Environment,
} from '@counterpart/platform-config';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceSettings,
    /** Where providers call us: their signatures cover this URL, whatever proxy is in between. */
    PUBLIC_URL: settings.httpUrl(),
    DATABASE_POOL_MAX: settings.wholeNumber(1, 50).default(3),
    /** Larger bodies are answered 413 without reading on. */
    BODY_BYTES_MAX: settings.wholeNumber(1_024, 16_777_216).default(1_048_576),
  })
  .strict();

export type IngestConfig = Readonly<z.infer<typeof schema>>;

/** Parses the environment once; throws ConfigFault with every fault. */
export const readConfig = (env: Environment): IngestConfig => parseConfig(schema, env);
