import { createClient, type ClientOptions } from './kafkajs-client.js';

export interface WantedTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

const howToCreate = 'run: node libs/contracts/dist/provision-cli.js';

/**
 * What is wrong with the broker's topics, one sentence each that says what to do; empty when all is
 * well. Rejects when no broker answers.
 */
export async function topicFaults(
  options: ClientOptions,
  wanted: readonly Pick<WantedTopic, 'topic' | 'partitions'>[],
): Promise<readonly string[]> {
  const partitions = await partitionsOf(options);
  return wanted.flatMap(({ topic, partitions: least }) => {
    const count = partitions.get(topic);
    if (count === undefined) return [`topic ${topic} is missing; to create it, ${howToCreate}`];
    if (count >= least) return [];
    return [
      `topic ${topic} has ${count} partitions and needs ${least}; a count is never changed in ` +
        `place, since records would change partition: drain and delete the topic, then ${howToCreate}`,
    ];
  });
}

/** Creates the missing topics, one replica for each broker up to three. Never changes a topic. */
export async function createMissingTopics(
  options: ClientOptions,
  wanted: readonly WantedTopic[],
): Promise<readonly string[]> {
  const existing = await partitionsOf(options);
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return [];
  const admin = createClient(options).admin();
  await admin.connect();
  try {
    const { brokers } = await admin.describeCluster();
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map(({ topic, partitions, config }) => ({
        topic,
        numPartitions: partitions,
        replicationFactor: Math.min(3, brokers.length),
        configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
      })),
    });
  } finally {
    await admin.disconnect();
  }
  return missing.map(({ topic }) => topic);
}

async function partitionsOf(options: ClientOptions): Promise<ReadonlyMap<string, number>> {
  const admin = createClient(options).admin();
  await admin.connect();
  try {
    const { topics } = await admin.fetchTopicMetadata();
    return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  } finally {
    await admin.disconnect();
  }
}
