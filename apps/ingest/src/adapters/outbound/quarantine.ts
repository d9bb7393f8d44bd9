import type { Db } from '@counterpart/platform-postgres';
import type { Quarantined } from '../../application/ports.js';

/** Keeps authentic items that fit no source. Rejects when they cannot be kept. */
export const createQuarantine =
  (db: Db) =>
  async (items: readonly Quarantined[]): Promise<void> => {
    if (items.length === 0) return;
    await db.query(
      `insert into ingest.quarantined_deliveries (endpoint, code, item_index, detail, body)
       select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::bytea[])`,
      [
        items.map(({ endpoint }) => endpoint),
        items.map(({ code }) => code),
        items.map(({ itemIndex }) => itemIndex),
        items.map(({ detail }) => detail),
        items.map(({ body }) => Buffer.from(body)),
      ],
    );
  };
