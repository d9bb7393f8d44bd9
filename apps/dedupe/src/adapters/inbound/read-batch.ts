import type { Codec, TopicName, TopicValue } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import type { DeadLetter } from '@counterpart/sync-model';
import type { Arrived } from '../../application/ports.js';
import { parkedMessage } from '../../domain/dead-letter.js';
import { faultDetails, type MessageFault } from '../../domain/event-check.js';

export interface ReadBatch<T> {
  readonly arrived: readonly Arrived<T>[];
  /** Notes of the messages that cannot be read or kept; their neighbours go on. */
  readonly parked: readonly Arrived<DeadLetter>[];
}

/** Decodes a batch. Rejects only when the registry must be asked and does not answer. */
export const readBatch = async <T extends TopicName>(
  codec: Pick<Codec, 'decode'>,
  topic: T,
  batch: readonly InboundMessage[],
  faultOf: (value: TopicValue<T>, key: string) => MessageFault | undefined,
  nowMs: number,
): Promise<ReadBatch<TopicValue<T>>> => {
  const arrived: Arrived<TopicValue<T>>[] = [];
  const parked: Arrived<DeadLetter>[] = [];
  for (const message of batch) {
    const traceparent = traceparentOf(message);
    const read = await codec.decode(topic, message.value);
    const fault = read.ok ? faultOf(read.value, message.key) : undefined;
    if (read.ok && fault === undefined) arrived.push({ value: read.value, traceparent });
    else {
      const why = read.ok ? codedFault(fault) : { code: read.code, detail: read.detail };
      parked.push({ value: parkedMessage(whereOf(message), why, nowMs), traceparent });
    }
  }
  return { arrived, parked };
};

const codedFault = (fault: MessageFault = 'key-mismatch') => ({
  code: fault,
  detail: faultDetails[fault],
});

/** The tenant is the first part of every key. */
const whereOf = ({ topic, partition, offset, key }: InboundMessage) => ({
  place: `kafka:${topic}/${partition}/${offset}`,
  tenantId: key.split('\u001f')[0],
});

/** Anything may stand in a header; only what is a trace goes into a row. */
const traceparentOf = ({ headers }: InboundMessage): string | null => {
  const text = headers['traceparent'] ?? '';
  return /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(text) ? text : null;
};
