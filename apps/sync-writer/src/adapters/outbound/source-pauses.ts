import type { SourceId, TenantId } from '@counterpart/sync-model';
import type { Db } from '@counterpart/platform-postgres';

/** Times before which nothing is sent to a source; they outlive Redis and every process. */
export interface SourcePauses {
  untilMs(tenantId: TenantId, sourceId: SourceId): Promise<number>;
  pause(tenantId: TenantId, sourceId: SourceId, untilMs: number, reason: string): Promise<void>;
}

export const createSourcePauses = (db: Db): SourcePauses => ({
  async untilMs(tenantId, sourceId) {
    const rows = await db.query<{ until_at: Date }>(
      'select until_at from sync.source_pauses where tenant_id = $1 and source_id = $2',
      [tenantId, sourceId],
    );
    return rows[0]?.until_at.getTime() ?? 0;
  },
  async pause(tenantId, sourceId, untilMs, reason) {
    // A shorter pause never shortens a longer one.
    await db.query(
      `insert into sync.source_pauses (tenant_id, source_id, until_at, reason)
       values ($1, $2, to_timestamp($3::float8 / 1000), $4)
       on conflict (tenant_id, source_id) do update
          set until_at = excluded.until_at, reason = excluded.reason
        where sync.source_pauses.until_at < excluded.until_at`,
      [tenantId, sourceId, untilMs, reason],
    );
  },
});
