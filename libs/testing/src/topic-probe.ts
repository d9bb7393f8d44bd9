import { randomBytes } from 'node:crypto';
import { createCodec, type TopicName, type TopicValue } from '@counterpart/contracts';
import { createConsumer } from '@counterpart/platform-kafka';
import { testEnv } from './test-env.js';

export interface ProbedMessage<V> {
  readonly value: V;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a topic holds for one tenant, growing while it is open. */
export interface TopicProbe<V> {
  /** In order within a key; begins with what was there before the probe. */
  messages(): readonly ProbedMessage<V>[];
  values(): readonly V[];
  close(): Promise<void>;
}

/** The parts of a key are joined by this; the tenant is the first. */
const keySeparator = '\u001f';

/**
 * Reads a topic of the running stack and keeps what belongs to the tenant. Tombstones are passed
 * over. A message of the tenant that cannot be decoded makes `messages` throw: a test that asks
 * what is on a topic must not miss that.
 */
export async function topicProbe<T extends TopicName>(
  topic: T,
  tenantId: string,
): Promise<TopicProbe<TopicValue<T>>> {
  const { kafkaBrokers, schemaRegistryUrl } = testEnv();
  const codec = await createCodec({ registryUrl: schemaRegistryUrl });
  const name = `probe-${randomBytes(6).toString('hex')}`;
  const kept: ProbedMessage<TopicValue<T>>[] = [];
  let fault: string | undefined;
  const consumer = createConsumer({
    brokers: kafkaBrokers,
    clientId: name,
    groupId: name,
    topics: [topic],
  });
  await consumer.run(async (batch) => {
    for (const { key, value, headers, offset, partition } of batch) {
      if (key.split(keySeparator)[0] !== tenantId || value.length === 0) continue;
      const read = await codec.decode(topic, value);
      if (read.ok) kept.push({ value: read.value, key, headers });
      else fault = `${topic}/${partition}/${offset}: ${read.code}`;
    }
  });
  const messages = (): readonly ProbedMessage<TopicValue<T>>[] => {
    if (fault !== undefined) throw new Error(fault);
    return [...kept];
  };
  return {
    messages,
    values: () => messages().map(({ value }) => value),
    close: () => consumer.close(),
  };
}
