import { eventually, testEnv, uniqueTenant } from '@counterpart/testing';
import type { Admin } from 'kafkajs';
import { createClient, type ClientOptions } from '../kafkajs-client.js';
import { createConsumer } from '../kafkajs-consumer.js';
import type { InboundMessage, OutboundMessage } from '../messages.js';
import { createMissingTopics } from '../topics-admin.js';

/** A topic on the real broker for one test. */
export interface ScratchTopic {
  readonly name: string;
  readonly client: ClientOptions;
  readonly admin: Admin;
  message(key: string, text?: string): OutboundMessage;
  /** All that the topic holds now, partition by partition in order. */
  readAll(): Promise<readonly InboundMessage[]>;
  /** Committed offset of the group by partition, -1 for none. */
  committed(groupId: string): Promise<readonly number[]>;
  drop(): Promise<void>;
}

export async function scratchTopic(partitions = 1): Promise<ScratchTopic> {
  const name = uniqueTenant('spec');
  const client = { brokers: testEnv().kafkaBrokers, clientId: name };
  await createMissingTopics(client, [{ topic: name, partitions, config: {} }]);
  const admin = createClient(client).admin();
  await admin.connect();
  return {
    name,
    client,
    admin,
    message: (key, text = key) => ({ topic: name, key, value: Buffer.from(text), headers: {} }),
    readAll: () => readAll(admin, client, name),
    committed: async (groupId) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [name] });
      return (found?.partitions ?? []).map(({ offset }) => Number(offset));
    },
    drop: async () => {
      await admin.deleteTopics({ topics: [name] });
      await admin.disconnect();
    },
  };
}

async function readAll(
  admin: Admin,
  client: ClientOptions,
  topic: string,
): Promise<readonly InboundMessage[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  const count = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const read: InboundMessage[] = [];
  const consumer = createConsumer({ ...client, groupId: uniqueTenant('read'), topics: [topic] });
  await consumer.run((batch) => Promise.resolve(void read.push(...batch)));
  const complete = (): void => {
    if (read.length < count) throw new Error(`${read.length} of ${count} messages read`);
  };
  await eventually(complete, { timeoutMs: 20_000 });
  await consumer.close();
  return read.sort((a, b) => a.partition - b.partition || Number(a.offset) - Number(b.offset));
}

/** The values as text. */
export const textsOf = (messages: readonly InboundMessage[]): readonly string[] =>
  messages.map(({ value }) => value.toString());
