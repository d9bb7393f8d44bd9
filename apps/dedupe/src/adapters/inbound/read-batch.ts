import type { Codec, TopicName, TopicValue } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import { asTenantId, hash128, parseRecordKey, type DeadLetter } from '@counterpart/sync-model';
import type { Arrived } from '../../application/ports.js';

export interface ReadBatch<T> {
  readonly arrived: readonly Arrived<T>[];
  /** Parking notes of the messages that cannot be read; their neighbours go on. */
  readonly unreadable: readonly DeadLetter[];
}

/** Decodes a batch. Rejects only when the registry must be asked and does not answer. */
export const readBatch = async <T extends TopicName>(
  codec: Codec,
  topic: T,
  batch: readonly InboundMessage[],
  nowMs: number,
): Promise<ReadBatch<TopicValue<T>>> => {
  const arrived: Arrived<TopicValue<T>>[] = [];
  const unreadable: DeadLetter[] = [];
  for (const message of batch) {
    const place = `kafka:${message.topic}/${message.partition}/${message.offset}`;
    const read = await codec.decode(topic, message.value);
    if (read.ok)
      arrived.push({
        value: read.value,
        key: message.key,
        traceparent: message.headers['traceparent'] ?? null,
        place,
      });
    else
      unreadable.push({
        messageId: hash128(`dead|dedupe|${place}`),
        tenantId: parseRecordKey(message.key)?.tenantId ?? asTenantId(''),
        caseClass: 'processing-failure',
        service: 'dedupe',
        code: read.code,
        detail: read.detail,
        evidenceRef: place,
        occurredAtMs: nowMs,
      });
  }
  return { arrived, unreadable };
};
