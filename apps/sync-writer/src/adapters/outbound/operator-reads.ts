import type { Db } from '@counterpart/platform-postgres';

/** What operators may see of the writer, read-only. */
export interface OperatorReads {
  planVersion(tenantId: string): Promise<number | null>;
  /** Work of a tenant that is not settled yet. */
  backlog(tenantId: string): Promise<number>;
  operations(question: OperationQuestion): Promise<readonly object[]>;
  lanes(tenantId: string): Promise<{ ready: number; waiting: number; running: number }>;
  mappings(tenantId: string, entityId: string | null): Promise<readonly object[]>;
}

export interface OperationQuestion {
  readonly tenantId: string;
  readonly entityId: string | null;
  readonly state: string | null;
}

const rowsMax = 1_000;

export const createOperatorReads = (db: Db): OperatorReads => ({
  async planVersion(tenantId) {
    const rows = await db.query<{ version: number }>(
      'select version from sync.sync_plans where tenant_id = $1',
      [tenantId],
    );
    return rows[0]?.version ?? null;
  },
  async backlog(tenantId) {
    const rows = await db.query<{ pending: number }>(
      `select ((select count(*) from sync.lanes where tenant_id = $1 and state = 'open')
             + (select count(*) from sync.outbox where key like $2))::int as pending`,
      [tenantId, `${tenantId.replace(/[\\%_]/g, '\\$&')}\u001f%`],
    );
    return rows[0]?.pending ?? 0;
  },
  operations: ({ tenantId, entityId, state }) =>
    db.query(
      `select operation_id as "operationId", action, source_id as "sourceId", record_type as "recordType",
              entity_id as "entityId", external_id as "externalId", event_key as "eventKey", state, outcome,
              reason, attempts, version, created_at as "createdAt", updated_at as "updatedAt"
         from sync.operations
        where tenant_id = $1 and ($2::uuid is null or entity_id = $2) and ($3::text is null or state = $3)
        order by updated_at desc limit ${rowsMax}`,
      [tenantId, entityId, state],
    ),
  async lanes(tenantId) {
    const rows = await db.query<{ ready: number; waiting: number; running: number }>(
      `select count(*) filter (where owner is null and due_at <= now())::int as ready,
              count(*) filter (where owner is null and due_at > now())::int as waiting,
              count(*) filter (where owner is not null)::int as running
         from sync.lanes where tenant_id = $1 and state = 'open'`,
      [tenantId],
    );
    return rows[0] ?? { ready: 0, waiting: 0, running: 0 };
  },
  mappings: (tenantId, entityId) =>
    db.query(
      `select source_id as "sourceId", record_type as "recordType", external_id as "externalId",
              entity_id as "entityId", status, origin, updated_at as "updatedAt"
         from sync.mappings
        where tenant_id = $1 and ($2::uuid is null or entity_id = $2)
        order by updated_at desc limit ${rowsMax}`,
      [tenantId, entityId],
    ),
});
