import { scratchTopic } from './testing/scratch-topic.js';
import { createMissingTopics, topicFaults } from './topics-admin.js';

test('missing topics and too few partitions are named, each with what to do', async () => {
  const topic = await scratchTopic(2);
  const missing = `${topic.name}-none`;
  const wanted = [
    { topic: topic.name, partitions: 2, config: {} },
    { topic: topic.name, partitions: 3, config: {} },
    { topic: missing, partitions: 1, config: {} },
  ];
  const faults = await topicFaults(topic.client, wanted);
  expect(faults).toEqual([
    expect.stringMatching(
      / has 2 partitions and needs 3; .* drain and delete .*provision-cli\.js$/,
    ),
    expect.stringMatching(/-none is missing; to create it, run: node .*provision-cli\.js$/),
  ]);
  // Never changed, whatever is wanted.
  expect(await createMissingTopics(topic.client, wanted.slice(0, 2))).toEqual([]);
  expect(await topicFaults(topic.client, wanted.slice(0, 1))).toEqual([]);
  await topic.drop();
}, 30_000);

test('a topic is made once, with its settings', async () => {
  const topic = await scratchTopic();
  const name = `${topic.name}-made`;
  const wanted = [{ topic: name, partitions: 2, config: { 'cleanup.policy': 'compact' } }];
  expect(await createMissingTopics(topic.client, wanted)).toEqual([name]);
  expect(await createMissingTopics(topic.client, wanted)).toEqual([]);
  const { resources } = await topic.admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name, configNames: ['cleanup.policy'] }],
  });
  expect(resources[0]?.configEntries[0]?.configValue).toBe('compact');
  await topic.admin.deleteTopics({ topics: [name] });
  await topic.drop();
}, 30_000);
