import type { OutboxMessage } from '@counterpart/platform-outbox';
import type { Db } from '@counterpart/platform-postgres';
import { recordKey } from '@counterpart/sync-model';
import { appendOutbox } from '@counterpart/platform-outbox';
import type { Outgoing } from '../application/ports.js';
import type { SaveOutgoing } from '../adapters/outbound/save-outgoing.js';

/** Saves messages as JSON, so that a spec can read what would be published without a registry. */
export const saveAsJson: SaveOutgoing = (tx, messages) =>
  appendOutbox(tx, 'reconcile', messages.map(asJson));

const asJson = (message: Outgoing): OutboxMessage => ({
  topic: message.topic,
  key:
    message.topic === 'counterpart.source-events.v1'
      ? recordKey(message.value)
      : message.value.tenantId,
  value: Buffer.from(JSON.stringify(message.value)),
  headers: message.traceparent === null ? {} : { traceparent: message.traceparent },
});

export interface SavedMessage {
  readonly topic: string;
  readonly value: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What waits in the outbox, oldest first. */
export async function savedMessages(db: Db): Promise<readonly SavedMessage[]> {
  const rows = await db.query<{ topic: string; value: Buffer; headers: Record<string, string> }>(
    'select topic, value, headers from reconcile.outbox order by id',
  );
  return rows.map((row) => ({ ...row, value: JSON.parse(row.value.toString()) }));
}
