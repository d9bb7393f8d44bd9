import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { Db } from '@counterpart/platform-postgres';
import type { HealthCheck } from '@counterpart/platform-service';

/** A batch that cannot be kept for this long is a service that is not ready, whatever else answers. */
const failingMaxMs = 15_000;

/** Ready: the database answers, and the consumer is in its group and gets its batches kept. */
export const topicHealth = (
  db: Pick<Db, 'query'>,
  strategy: Pick<KafkaBatchStrategy, 'consumerStatus'>,
  nowMs: () => number = Date.now,
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
      if (status?.crashed) return 'crashed';
      if (!status?.connected) return 'not-connected';
      if (!status.joined) return 'not-joined';
      const failingMs = status.failingSinceMs === null ? 0 : nowMs() - status.failingSinceMs;
      return failingMs > failingMaxMs ? 'batch-not-kept' : null;
    },
  },
];
