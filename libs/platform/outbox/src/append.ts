import { randomUUID } from 'node:crypto';
import type { Tx } from '@counterpart/platform-postgres';
import { currentTraceparent } from '@counterpart/platform-telemetry';
import { bucketOf, OUTBOX_BUCKETS } from './buckets.js';
import type { OutboxMessage } from './outbox-message.js';

/**
 * Puts messages into `<schema>.outbox` inside the caller's transaction, in the given order, with
 * one statement. Each gets a `message-id` (by which receivers drop repeats) and the current
 * `traceparent` unless it already carries them.
 *
 * Order per key is the order of row ids, and ids are taken here, not at commit. So two
 * transactions that write the same key must exclude each other (a row lock, a lane) *before* they
 * append, or the later commit may be published first.
 */
export async function appendOutbox(
  tx: Tx,
  schema: string,
  messages: readonly OutboxMessage[],
  buckets = OUTBOX_BUCKETS,
): Promise<void> {
  if (messages.length === 0) return;
  const traceparent = currentTraceparent();
  const headersOf = (message: OutboxMessage): string =>
    JSON.stringify({
      'message-id': randomUUID(),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...message.headers,
    });
  await tx.query(
    `insert into ${schema}.outbox (bucket, topic, key, value, headers)
     select bucket, topic, key, value, headers::jsonb
     from unnest($1::smallint[], $2::text[], $3::text[], $4::bytea[], $5::text[])
       with ordinality as m (bucket, topic, key, value, headers, position)
     order by position`,
    [
      messages.map((message) => bucketOf(message.key, buckets)),
      messages.map((message) => message.topic),
      messages.map((message) => message.key),
      messages.map((message) => message.value),
      messages.map(headersOf),
    ],
  );
}
