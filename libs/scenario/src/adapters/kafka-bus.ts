import { randomBytes } from 'node:crypto';
import { createCodec, topicNames } from '@counterpart/contracts';
import type { Codec } from '@counterpart/contracts';
import { createConsumer, createProducer, watchGroups } from '@counterpart/platform-kafka';
import type { InboundMessage, ReadingGroup } from '@counterpart/platform-kafka';
import type { Bus, StackEnv } from '../application/ports.js';
import { MessageLog } from '../domain/message-log.js';
import { createFence } from './fence.js';

const publicTopics = [
  topicNames.syncResults,
  topicNames.entityChanges,
  topicNames.mappings,
  topicNames.deadLetters,
];

/** Who reads the topics that changes pass through, and so what a fence waits for. */
const serviceGroups: readonly ReadingGroup[] = [
  {
    groupId: 'counterpart-dedupe',
    topics: [topicNames.sourceEvents, topicNames.writeMemory, topicNames.syncResults],
  },
  { groupId: 'counterpart-sync-writer', topics: [topicNames.syncOperations] },
  {
    groupId: 'counterpart-reconciler',
    topics: [topicNames.syncResults, topicNames.unknownOperations, topicNames.deadLetters],
  },
];

/**
 * Connects to a stack's topics. Public messages older than the connection are not kept: they belong
 * to earlier runs. Rejects when no broker or no registry answers.
 */
export async function openBus(env: StackEnv): Promise<Bus> {
  const run = randomBytes(4).toString('hex');
  const client = { brokers: env.kafkaBrokers, clientId: `counterpart-scenario-${run}` };
  const codec = await createCodec({ registryUrl: env.schemaRegistryUrl });
  const groupId = `counterpart-scenario-${run}`;
  const openedAtMs = Date.now();
  const log = new MessageLog();
  const producer = createProducer(client);
  let ended: Error | undefined;
  const onCrash = (error: Error): void => void (ended = error);
  const consumer = createConsumer({ ...client, groupId, topics: publicTopics, onCrash });
  await consumer.run(async (batch) => {
    for (const message of batch)
      if (message.timestampMs >= openedAtMs) await take(codec, log, message);
  });
  const groups = await watchGroups(client);
  const fence = createFence((timeoutMs) =>
    ended === undefined
      ? groups.behind([...serviceGroups, { groupId, topics: publicTopics }], timeoutMs)
      : Promise.resolve(`our own reading of the topics ended: ${ended.message}`),
  );
  return {
    publishPlan: (entry) => {
      const topic = topicNames.sourceRegistry;
      const value = codec.encode(topic, entry);
      return producer.send([{ topic, key: entry.tenantId, value, headers: {} }]);
    },
    messagesOf: (tenantId) => log.messagesOf(tenantId),
    operationsOf: (tenantId) => log.operationsOf(tenantId),
    mappingsOf: (tenantId) => log.mappingsOf(tenantId),
    position: () => log.position(),
    fence,
    close: async () => {
      await consumer.close();
      await producer.close();
      await groups.close();
    },
  };
}

async function take(codec: Codec, log: MessageLog, message: InboundMessage): Promise<void> {
  switch (message.topic) {
    case topicNames.syncResults: {
      const result = await codec.decode(topicNames.syncResults, message.value);
      if (result.ok) log.addResult(result.value);
      return;
    }
    case topicNames.mappings: {
      if (message.value.length === 0) return;
      const mapping = await codec.decode(topicNames.mappings, message.value);
      if (mapping.ok) log.addMapping(mapping.value);
      return;
    }
    case topicNames.entityChanges: {
      const change = await codec.decode(topicNames.entityChanges, message.value);
      if (change.ok) log.add('entity-changes', change.value);
      return;
    }
    case topicNames.deadLetters: {
      const letter = await codec.decode(topicNames.deadLetters, message.value);
      if (letter.ok) log.add('dead-letters', letter.value);
      return;
    }
    default:
      return;
  }
}
