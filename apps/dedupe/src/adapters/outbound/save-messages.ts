import type { Codec } from '@counterpart/contracts';
import { appendOutbox } from '@counterpart/platform-outbox';
import type { Tx } from '@counterpart/platform-postgres';
import { recordKey } from '@counterpart/sync-model';
import type { Outgoing } from '../../application/ports.js';

/** Puts messages into the outbox, in the transaction of the decision they tell of. */
export type SaveMessages = (tx: Tx, outgoing: Outgoing) => Promise<void>;

const operationsTopic = 'counterpart.sync-operations.v1';
const deadLettersTopic = 'counterpart.dead-letters.v1';

export const createSaveMessages =
  (codec: Pick<Codec, 'encode'>): SaveMessages =>
  async (tx, { operations, deadLetters }) => {
    const messages = [
      ...operations.map(({ value, traceparent }) => ({
        topic: operationsTopic,
        key: recordKey(value.event),
        value: codec.encode(operationsTopic, value),
        headers: headersOf(value.event.eventKey, traceparent),
      })),
      ...deadLetters.map(({ value, traceparent }) => ({
        topic: deadLettersTopic,
        key: value.tenantId,
        value: codec.encode(deadLettersTopic, value),
        headers: headersOf(value.messageId, traceparent),
      })),
    ];
    if (messages.length > 0) await appendOutbox(tx, 'dedupe', messages);
  };

const headersOf = (messageId: string, traceparent: string | null): Record<string, string> => ({
  'message-id': messageId,
  ...(traceparent === null ? {} : { traceparent }),
});
