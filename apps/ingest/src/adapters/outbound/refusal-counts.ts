import type { Db } from '@counterpart/platform-postgres';
import { metrics, type Logger } from '@counterpart/platform-telemetry';
import type { Refused } from '../../application/ports.js';

const total = metrics.counter('ingest_refusals_total', 'Requests and items not taken.', ['code']);
const flushMs = 1_000;

/** Counts refusals in memory and adds them to the table once a second: a flood costs one row. */
export class RefusalCounts {
  private counts = new Map<string, { readonly refused: Refused; count: number }>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly db: Db,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => void this.flush(), flushMs);
  }

  add(refused: Refused): void {
    total.add({ code: refused.code });
    const key = `${refused.tenantId}\u001f${refused.sourceId}\u001f${refused.code}`;
    const entry = this.counts.get(key) ?? { refused, count: 0 };
    entry.count += 1;
    this.counts.set(key, entry);
  }

  async flush(): Promise<void> {
    const entries = [...this.counts.values()];
    if (entries.length === 0) return;
    this.counts = new Map();
    try {
      await this.db.query(
        `insert into ingest.refusals as r (tenant_id, source_id, code, day, count, last_at)
         select tenant_id, source_id, code, current_date, count, now()
           from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as n(tenant_id, source_id, code, count)
         on conflict (tenant_id, source_id, code, day) do update
            set count = r.count + excluded.count, last_at = excluded.last_at`,
        [
          entries.map(({ refused }) => refused.tenantId),
          entries.map(({ refused }) => refused.sourceId),
          entries.map(({ refused }) => refused.code),
          entries.map(({ count }) => count),
        ],
      );
    } catch (error) {
      // The metric has them; the table is a convenience and must not hold up an answer.
      this.log.warn({ error, count: entries.length }, 'refusals could not be counted in the table');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
