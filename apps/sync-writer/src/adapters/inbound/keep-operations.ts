import type { Codec } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import { retryTransaction, type Db } from '@counterpart/platform-postgres';
import type { Clock } from '@counterpart/sync-model';
import { unreadableMessage, unstorableOperation } from '../../domain/dead-letter.js';
import type { Outgoing } from '../../domain/outgoing.js';
import { keepOperations, type Received } from '../outbound/inbox.js';
import type { SaveOutgoing } from '../outbound/save-outgoing.js';
import type { BatchHandler } from './tokens.js';

const topic = 'counterpart.sync-operations.v1';

/**
 * Handler of a Kafka batch: everything it carries is in the inbox, or parked as unreadable, when
 * the promise resolves. Nothing else happens here, so a slow CRM never holds up a partition.
 */
export const createKeepOperations =
  (ports: {
    readonly codec: Codec;
    readonly db: Db;
    readonly clock: Clock;
    readonly save: SaveOutgoing;
    /** Lanes are due, the outbox may have rows. */
    readonly onKept: () => void;
  }): BatchHandler =>
  async (batch) => {
    const received: Received[] = [];
    const parked: Outgoing[] = [];
    for (const message of batch) {
      const read = await ports.codec.decode(topic, message.value);
      const traceparent = traceparentOf(message);
      const fault = read.ok ? unstorableOperation(JSON.stringify(read.value)) : read;
      if (read.ok && fault === undefined) received.push({ operation: read.value, traceparent });
      else if (fault !== undefined)
        parked.push({
          topic: 'counterpart.dead-letters.v1',
          value: unreadableMessage(message, fault, ports.clock.nowMs()),
          traceparent,
        });
    }
    await retryTransaction(ports.db, async (tx) => {
      await keepOperations(tx, received);
      await ports.save(tx, parked);
    });
    ports.onKept();
  };

const traceparentOf = (message: InboundMessage): string | null =>
  message.headers['traceparent'] ?? null;
