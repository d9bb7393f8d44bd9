import type { Codec } from '@counterpart/contracts';
import { appendOutbox } from '@counterpart/platform-outbox';
import type { Tx } from '@counterpart/platform-postgres';
import { recordKey, type DeadLetter, type SyncOperation } from '@counterpart/sync-model';

/** Puts messages into the outbox, in the transaction of the decision they tell of. */
export type SaveMessages = (
  tx: Tx,
  operations: readonly { readonly operation: SyncOperation; readonly traceparent: string | null }[],
  deadLetters: readonly DeadLetter[],
) => Promise<void>;

const operationsTopic = 'counterpart.sync-operations.v1';
const deadLettersTopic = 'counterpart.dead-letters.v1';

export const createSaveMessages =
  (codec: Pick<Codec, 'encode'>): SaveMessages =>
  async (tx, operations, deadLetters) => {
    const messages = [
      ...operations.map(({ operation, traceparent }) => ({
        topic: operationsTopic,
        key: recordKey(operation.event),
        value: codec.encode(operationsTopic, operation),
        headers: {
          'message-id': operation.event.eventKey,
          ...(traceparent === null ? {} : { traceparent }),
        },
      })),
      ...deadLetters.map((letter) => ({
        topic: deadLettersTopic,
        key: letter.tenantId,
        value: codec.encode(deadLettersTopic, letter),
        headers: { 'message-id': letter.messageId },
      })),
    ];
    if (messages.length > 0) await appendOutbox(tx, 'dedupe', messages);
  };
