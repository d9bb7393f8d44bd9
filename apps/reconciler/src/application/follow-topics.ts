import type { Clock, DeadLetter, SyncResult, UnknownOperation } from '@counterpart/sync-model';
import { unreadableMessage, type MessagePlace } from '../domain/dead-letter.js';
import { findingOfDeadLetter } from '../domain/finding.js';
import type { CaseStore, Outgoing, ReadbackStore, Received } from './ports.js';

/** A message as an adapter decoded it, or could not. */
export type Decoded<Value> =
  | ({ readonly ok: true } & Received<Value>)
  | {
      readonly ok: false;
      readonly place: MessagePlace;
      readonly code: string;
      readonly detail: string;
    };

export interface FollowPorts {
  readonly readbacks: ReadbackStore;
  readonly cases: CaseStore;
  readonly clock: Clock;
}

/**
 * What the service does with a Kafka batch, one transaction for each. Unreadable messages are parked
 * as dead letters in the same transaction, so a poison message is told once and stalls nothing.
 */
export const keepUnknownOperations = async (
  batch: readonly Decoded<UnknownOperation>[],
  { readbacks, clock }: FollowPorts,
): Promise<void> => {
  const { received, parked } = sort(batch, clock.nowMs());
  await readbacks.keep(received, parked);
};

export const followResults = async (
  batch: readonly Decoded<SyncResult>[],
  { cases, clock }: FollowPorts,
): Promise<void> => {
  const { received, parked } = sort(batch, clock.nowMs());
  const results = received.map(({ value }) => value);
  await cases.followResults(results, parked);
};

/**
 * A dead letter that cannot be read becomes a case at once: as another dead letter it would come
 * back to us for ever.
 */
export const followDeadLetters = async (
  batch: readonly Decoded<DeadLetter>[],
  { cases, clock }: FollowPorts,
): Promise<void> => {
  const nowMs = clock.nowMs();
  const letters = batch.map((message) =>
    message.ok ? message.value : unreadableMessage(message.place, message, nowMs),
  );
  await cases.keepFindings(letters.map(findingOfDeadLetter), []);
};

function sort<Value>(
  batch: readonly Decoded<Value>[],
  nowMs: number,
): { readonly received: readonly Received<Value>[]; readonly parked: readonly Outgoing[] } {
  const received: Received<Value>[] = [];
  const parked: Outgoing[] = [];
  for (const message of batch) {
    if (message.ok) received.push(message);
    else {
      parked.push({
        topic: 'counterpart.dead-letters.v1',
        value: unreadableMessage(message.place, message, nowMs),
        traceparent: null,
      });
    }
  }
  return { received, parked };
}
