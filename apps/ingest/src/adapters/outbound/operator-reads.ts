import type { PlanStore } from '@counterpart/plan-store';
import type { Db } from '@counterpart/platform-postgres';
import { asTenantId } from '@counterpart/sync-model';

/** What operators may see of ingest; bodies of deliveries are never among it. */
export interface OperatorReads {
  /** The version this process works by. */
  planVersion(tenantId: string): Promise<number | null>;
  refusals(tenantId: string): Promise<readonly object[]>;
  quarantine(endpoint: string): Promise<readonly object[]>;
}

export const createOperatorReads = (db: Db, plans: PlanStore): OperatorReads => ({
  planVersion: async (tenantId) => (await plans.planOf(asTenantId(tenantId)))?.version ?? null,
  refusals: (tenantId) =>
    db.query(
      `select source_id as "sourceId", code, day::text, count, last_at as "lastAt"
         from ingest.refusals where tenant_id = $1 order by day desc, code limit 1000`,
      [tenantId],
    ),
  quarantine: (endpoint) =>
    db.query(
      `select id, items, received_at as "receivedAt"
         from ingest.quarantined_deliveries where endpoint = $1 order by id desc limit 1000`,
      [endpoint],
    ),
});
