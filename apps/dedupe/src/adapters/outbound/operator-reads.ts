import type { Db } from '@counterpart/platform-postgres';

/** What operators may see of the gate, read-only. */
export interface OperatorReads {
  planVersion(tenantId: string): Promise<number | null>;
  /** Messages of a tenant that have not left yet. */
  backlog(tenantId: string): Promise<number>;
  /** How many events ended how, and the newest of them; an event that was only handed on counts
   * by its state. */
  events(
    tenantId: string,
    wanted: { readonly outcome: string | null; readonly limit: number },
  ): Promise<{
    counts: object;
    events: readonly object[];
    /** Statements that contradict one that was accepted; the accepted one stands in `events`. */
    conflicts: readonly object[];
  }>;
}

export const createOperatorReads = (db: Db): OperatorReads => ({
  async planVersion(tenantId) {
    const rows = await db.query<{ version: number }>(
      'select version from dedupe.sync_plans where tenant_id = $1',
      [tenantId],
    );
    return rows[0]?.version ?? null;
  },
  async backlog(tenantId) {
    const rows = await db.query<{ pending: number }>(
      'select count(*)::int as pending from dedupe.outbox where key = $1 or key like $2',
      [tenantId, `${tenantId.replace(/[\\%_]/g, '\\$&')}\u001f%`],
    );
    return rows[0]?.pending ?? 0;
  },
  async events(tenantId, { outcome, limit }) {
    const counts = await db.query<{ outcome: string; count: number }>(
      `select coalesce(outcome, state) as outcome, count(*)::int as count
         from dedupe.event_ledger where tenant_id = $1 group by 1`,
      [tenantId],
    );
    const events = await db.query(
      `select source_id as "sourceId", event_key as "eventKey", record_type as "recordType",
              external_id as "externalId", state, outcome, reason, evidence, suppressed, decided_at as "decidedAt"
         from dedupe.event_ledger
        where tenant_id = $1 and ($2::text is null or coalesce(outcome, state) = $2)
        order by decided_at desc limit $3`,
      [tenantId, outcome, limit],
    );
    const conflicts = await db.query(
      `select source_id as "sourceId", event_key as "eventKey", reason, seen_at as "seenAt"
         from dedupe.event_conflicts
        where tenant_id = $1
        order by seen_at desc limit $2`,
      [tenantId, limit],
    );
    const byOutcome = Object.fromEntries(counts.map((row) => [row.outcome, row.count]));
    return { counts: byOutcome, events, conflicts };
  },
});
