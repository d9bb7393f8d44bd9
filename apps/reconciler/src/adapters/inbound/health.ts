import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { Db } from '@counterpart/platform-postgres';
import type { HealthCheck } from '@counterpart/platform-service';
import type { Clock } from '@counterpart/sync-model';

/** A batch that cannot be kept for this long is a service that is not ready, whatever else answers. */
const FAILING_MAX_MS = 15_000;

/** Ready: the database answers, and the consumer is in its group and gets its batches kept. */
export const healthChecks = (
  db: Db,
  strategy: Pick<KafkaBatchStrategy, 'consumerStatus'>,
  clock: Pick<Clock, 'nowMs'>,
): readonly HealthCheck[] => [
  {
    name: 'postgres',
    check: async () => {
      await db.query('select 1');
      return null;
    },
  },
  {
    name: 'kafka',
    check: () => {
      const status = strategy.consumerStatus();
      if (status === null || !status.connected)
        return status?.crashed ? 'crashed' : 'not-connected';
      if (!status.joined) return 'not-joined';
      const failingMs = status.failingSinceMs === null ? 0 : clock.nowMs() - status.failingSinceMs;
      return failingMs > FAILING_MAX_MS ? 'batch-not-kept' : null;
    },
  },
];
