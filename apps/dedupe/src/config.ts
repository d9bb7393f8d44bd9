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
    /** Connections to PostgreSQL; two to four serve two cores. */
    DATABASE_POOL_MAX: settings.wholeNumber(2, 100).default(5),
  })
  .strict();

export type DedupeConfig = Readonly<z.infer<typeof schema>>;

/** Parses the environment once; throws ConfigFault with every fault. */
export const readConfig = (env: Environment): DedupeConfig => parseConfig(schema, env);
