import type { Db } from '@counterpart/platform-postgres';
import type { QuarantinedDelivery } from '../../application/ports.js';

/** Keeps an authentic delivery with items that fit no source. Rejects when it cannot be kept. */
export const createQuarantine =
  (db: Db) =>
  async ({ endpoint, body, items }: QuarantinedDelivery): Promise<void> => {
    await db.query(
      `insert into ingest.quarantined_deliveries (endpoint, items, body)
       values ($1, $2::jsonb, $3)`,
      [endpoint, JSON.stringify(items), Buffer.from(body)],
    );
  };
