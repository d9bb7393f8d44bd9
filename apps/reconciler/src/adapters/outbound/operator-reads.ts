import { countOutbox } from '@counterpart/platform-outbox';
import type { Db } from '@counterpart/platform-postgres';

/** What operators may see of the reconciler, read-only. */
export interface OperatorReads {
  planVersion(tenantId: string): Promise<number | null>;
  /** Work of a tenant that this service still has: readbacks not answered, messages not sent. */
  backlog(tenantId: string): Promise<number>;
  /** Newest first, at most a thousand; every state when `state` is null. */
  cases(tenantId: string, state: string | null): Promise<readonly CaseView[]>;
}

/** A case as it is shown: ids, codes and times, never a field value. */
export interface CaseView {
  readonly caseId: string;
  readonly class: string;
  readonly state: string;
  readonly assignee: string | null;
  readonly code: string;
  readonly detail: string;
  readonly service: string;
  readonly evidenceRef: string;
  readonly sourceId: string | null;
  readonly recordType: string | null;
  readonly entityId: string | null;
  readonly operationId: string | null;
  readonly changes: number;
  readonly openedAt: Date;
  readonly updatedAt: Date;
  readonly settledAt: Date | null;
}

export const createOperatorReads = (db: Db): OperatorReads => ({
  async planVersion(tenantId) {
    const rows = await db.query<{ version: number }>(
      'select version from reconcile.sync_plans where tenant_id = $1',
      [tenantId],
    );
    return rows[0]?.version ?? null;
  },
  async backlog(tenantId) {
    const rows = await db.query<{ waiting: number }>(
      `select count(*) as waiting from reconcile.readbacks
        where tenant_id = $1 and state = 'waiting'`,
      [tenantId],
    );
    return (rows[0]?.waiting ?? 0) + (await countOutbox(db, 'reconcile', tenantId));
  },
  cases: (tenantId, state) =>
    db.query<CaseView>(
      `select case_id as "caseId", case_class as "class", state, assignee, code, detail, service,
              evidence_ref as "evidenceRef", source_id as "sourceId",
              record_type as "recordType", entity_id as "entityId",
              operation_id as "operationId", changes, opened_at as "openedAt",
              updated_at as "updatedAt", settled_at as "settledAt"
         from reconcile.cases
        where tenant_id = $1 and ($2::text is null or state = $2)
        order by updated_at desc, case_id
        limit 1000`,
      [tenantId, state],
    ),
});
