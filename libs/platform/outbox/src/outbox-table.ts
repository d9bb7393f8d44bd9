import type { Queryable } from '@counterpart/platform-postgres';
import type { OutboxMessage } from './outbox-message.js';

/** A message as it waits in the outbox. Ids grow; per key they are the order of publishing. */
export interface OutboxRow extends OutboxMessage {
  readonly id: number;
  readonly bucket: number;
}

/** The oldest rows of the given buckets, in id order, without the keys that are stopped. */
export async function readOldest(
  db: Queryable,
  schema: string,
  buckets: readonly number[],
  stoppedKeys: readonly string[],
  limit: number,
): Promise<readonly OutboxRow[]> {
  return db.query<{
    id: number;
    bucket: number;
    topic: string;
    key: string;
    value: Buffer | null;
    headers: Record<string, string>;
  }>(
    `select id, bucket, topic, key, value, headers
     from ${schema}.outbox
     where bucket = any($1::smallint[]) and not (key = any($2::text[]))
     order by id
     limit $3`,
    [buckets, stoppedKeys, limit],
  );
}

/** Takes acknowledged rows out. Safe for anyone at any time: the broker has them. */
export async function deleteRows(
  db: Queryable,
  schema: string,
  ids: readonly number[],
): Promise<void> {
  await db.query(`delete from ${schema}.outbox where id = any($1::bigint[])`, [ids]);
}

/**
 * How many messages still wait whose key is `prefix` or begins with `prefix` and the separator
 * U+001F: what one tenant has on the way out.
 */
export async function countOutbox(db: Queryable, schema: string, prefix: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from ${schema}.outbox
     where key = $1 or starts_with(key, $1 || chr(31))`,
    [prefix],
  );
  return rows[0]?.count ?? 0;
}
