import type { Db } from '@counterpart/platform-postgres';

/** What operators may see of ingest; bodies of deliveries are never among it. */
export interface OperatorReads {
  planVersion(tenantId: string): Promise<number | null>;
  refusals(tenantId: string): Promise<readonly object[]>;
  quarantine(endpoint: string): Promise<readonly object[]>;
}

export const createOperatorReads = (db: Db): OperatorReads => ({
  async planVersion(tenantId) {
    const rows = await db.query<{ version: number }>(
      'select version from ingest.sync_plans where tenant_id = $1',
      [tenantId],
    );
    return rows[0]?.version ?? null;
  },
  refusals: (tenantId) =>
    db.query(
      `select source_id as "sourceId", code, day::text, count, last_at as "lastAt"
         from ingest.refusals where tenant_id = $1 order by day desc, code limit 1000`,
      [tenantId],
    ),
  quarantine: (endpoint) =>
    db.query(
      `select id, code, item_index as "itemIndex", detail, received_at as "receivedAt"
         from ingest.quarantined_deliveries where endpoint = $1 order by id desc limit 1000`,
      [endpoint],
    ),
});
