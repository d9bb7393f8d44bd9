import {
  parseConfig,
  serviceSettings,
  settings,
  type Environment,
} from '@counterpart/platform-config';
import { z } from 'zod';

const schema = z.object({
  ...serviceSettings,
  DATABASE_POOL_MAX: settings.wholeNumber(2, 100).default(4),
  /** How often due readbacks are looked for. They are due to the second at best. */
  POLL_MS: settings.durationMs(10, 60_000).default(200),
  /**
   * Part of a source's quota that this process may use. The rest belongs to the writer, with whom it
   * shares no limiter: a read that comes late costs less than a write that is throttled.
   */
  QUOTA_SHARE_PERCENT: settings.wholeNumber(1, 100).default(10),
});

export type ReconcilerConfig = Readonly<z.infer<typeof schema>>;

/** Parses the environment once; throws ConfigFault with every fault. */
export const readConfig = (env: Environment): ReconcilerConfig => parseConfig(schema, env);
