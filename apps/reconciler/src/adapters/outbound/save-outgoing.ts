import type { Codec } from '@counterpart/contracts';
import { appendOutbox, type OutboxMessage } from '@counterpart/platform-outbox';
import type { Tx } from '@counterpart/platform-postgres';
import { recordKey } from '@counterpart/sync-model';
import type { Outgoing } from '../../application/ports.js';

/** Puts messages into the outbox, in the transaction of the change they tell of. */
export type SaveOutgoing = (tx: Tx, messages: readonly Outgoing[]) => Promise<void>;

export const createSaveOutgoing =
  (codec: Pick<Codec, 'encode'>): SaveOutgoing =>
  (tx, messages) =>
    appendOutbox(
      tx,
      'reconcile',
      messages.map((message) => toOutbox(message, codec)),
    );

function toOutbox(message: Outgoing, codec: Pick<Codec, 'encode'>): OutboxMessage {
  const traceparent = message.traceparent === null ? {} : { traceparent: message.traceparent };
  switch (message.topic) {
    case 'counterpart.source-events.v1':
      return {
        topic: message.topic,
        key: recordKey(message.value),
        value: codec.encode(message.topic, message.value),
        headers: { 'message-id': message.value.eventKey, ...traceparent },
      };
    case 'counterpart.dead-letters.v1':
      return {
        topic: message.topic,
        key: message.value.tenantId,
        value: codec.encode(message.topic, message.value),
        headers: { 'message-id': message.value.messageId, ...traceparent },
      };
    default:
      return message satisfies never;
  }
}
