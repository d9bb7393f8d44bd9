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
    /** Without it wake-ups and the shared quota fall back to PostgreSQL and to each process alone. */
    REDIS_URL: settings.redisUrl().optional(),
    /** Connections to PostgreSQL; two to four serve two cores, none is held during a CRM call. */
    DATABASE_POOL_MAX: settings.wholeNumber(2, 100).default(8),
    /** A lane of a dead worker is taken over after this. Renewed at a third of it. */
    LANE_LEASE_MS: settings.durationMs(1_000, 600_000).default(10_000),
    /** How often due lanes are looked for when nothing wakes the worker. */
    POLL_MS: settings.durationMs(10, 60_000).default(100),
    /** Part of a source's quota that this process may use while Redis cannot be asked. */
    ALONE_SHARE_PERCENT: settings.wholeNumber(1, 100).default(25),
  })
  .strict();

export type WriterConfig = Readonly<z.infer<typeof schema>>;

/** Parses the environment once; throws ConfigFault with every fault. */
export const readConfig = (env: Environment): WriterConfig => parseConfig(schema, env);
