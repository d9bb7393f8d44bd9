import type { KafkaBatchStrategy } from '@counterpart/platform-kafka';
import type { Db } from '@counterpart/platform-postgres';
import type { HealthCheck } from '@counterpart/platform-service';

/** Ready: the database answers and the plans are followed. A broken broker shows as 503 answers. */
export const ingestHealth = (
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
      return status.crashed ? 'crashed' : null;
    },
  },
];
