import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { Db } from '@counterpart/platform-postgres';
import type { HealthCheck } from '@counterpart/platform-service';

/** A batch that cannot be kept for this long is a service that is not ready, whatever else answers. */
const failingMaxMs = 15_000;

/** Ready: the database answers, and the consumer is in its group and gets its batches kept. */
export const dedupeHealth = (
  db: Db,
  strategy: Pick<KafkaBatchStrategy, 'consumerStatus'>,
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
      if (status === null || !status.connected) return 'not-connected';
      if (status.crashed) return 'crashed';
      if (!status.joined) return 'not-joined';
      const isFailing =
        status.failingSinceMs !== null && Date.now() - status.failingSinceMs > failingMaxMs;
      return isFailing ? 'batch-not-kept' : null;
    },
  },
];
