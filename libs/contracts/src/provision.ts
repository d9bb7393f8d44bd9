import { createMissingTopics, topicFaults } from '@counterpart/platform-kafka';
import { registerSchemas } from './register-schemas.js';
import { allTopicNames, messageBytesMax, topics, type TopicSpec } from './topics.js';

export interface ProvisionTarget {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
}

/**
 * Creates the topics that are missing and registers the schemas. Safe to repeat, and safe beside
 * running services: an existing topic is never changed. Answers the topics it created; throws one
 * sentence per topic that cannot be used as it is.
 */
export async function provision(target: ProvisionTarget): Promise<readonly string[]> {
  const client = { brokers: target.brokers, clientId: 'counterpart-provision' };
  const wanted = allTopicNames.map((topic) => ({
    topic,
    partitions: topics[topic].partitions,
    config: configOf(topics[topic]),
  }));
  const created = await createMissingTopics(client, wanted);
  const faults = await topicFaults(client, wanted);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await registerSchemas(target.registryUrl);
  return created;
}

function configOf({ cleanup }: TopicSpec): Readonly<Record<string, string>> {
  const size = { 'max.message.bytes': String(messageBytesMax) };
  return cleanup.policy === 'delete'
    ? { ...size, 'cleanup.policy': 'delete', 'retention.ms': String(cleanup.retentionMs) }
    : {
        ...size,
        'cleanup.policy': 'compact',
        'delete.retention.ms': String(cleanup.tombstonesKeptMs),
      };
}

/** For a service's start: what is wrong with the topics it uses, a sentence each. */
export const wantedTopics = (names: readonly (keyof typeof topics)[]) =>
  names.map((topic) => ({ topic, partitions: topics[topic].partitions }));
