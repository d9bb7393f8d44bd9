import type { Codec, TopicName, TopicValue } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import type { Decoded } from '../../application/follow-topics.js';
import type { BatchHandler } from './tokens.js';

/** A batch handler that decodes the values of one topic for an application step. */
export const decoding =
  <T extends TopicName>(
    codec: Pick<Codec, 'decode'>,
    topic: T,
    step: (batch: readonly Decoded<TopicValue<T>>[]) => Promise<void>,
  ): BatchHandler =>
  async (batch) => {
    const decoded: Decoded<TopicValue<T>>[] = [];
    for (const message of batch) decoded.push(await decode(codec, topic, message));
    await step(decoded);
  };

async function decode<T extends TopicName>(
  codec: Pick<Codec, 'decode'>,
  topic: T,
  message: InboundMessage,
): Promise<Decoded<TopicValue<T>>> {
  const read = await codec.decode(topic, message.value);
  if (read.ok) {
    return { ok: true, value: read.value, traceparent: message.headers['traceparent'] ?? null };
  }
  const { partition, offset, key } = message;
  const place = { topic: message.topic, partition, offset, key };
  return { ok: false, place, code: read.code, detail: read.detail };
}
