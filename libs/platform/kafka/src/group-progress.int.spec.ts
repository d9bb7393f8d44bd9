import { eventually, testEnv, uniqueTenant } from '@counterpart/testing';
import { watchGroups } from './group-progress.js';
import { createConsumer } from './kafkajs-consumer.js';
import { createProducer } from './kafkajs-producer.js';
import { createMissingTopics } from './topics-admin.js';

test('a group has caught up when it has committed what was there, not before', async () => {
  const name = uniqueTenant();
  const client = { brokers: testEnv().kafkaBrokers, clientId: name };
  await createMissingTopics(client, [{ topic: name, partitions: 3, config: {} }]);
  const producer = createProducer(client);
  const groups = await watchGroups(client);
  const reading = [{ groupId: name, topics: [name] }];
  expect(await groups.caughtUp(reading, 1_000)).toBe(true);

  await producer.send(
    ['a', 'b', 'c', 'd'].map((key) => ({ topic: name, key, value: Buffer.from(key), headers: {} })),
  );
  expect(await groups.caughtUp(reading, 100)).toBe(false);

  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let seen = 0;
  const consumer = createConsumer({ ...client, groupId: name, topics: [name] });
  await consumer.run(async (batch) => {
    seen += batch.length;
    await held;
  });
  await eventually(() => expect(seen).toBeGreaterThan(0), { timeoutMs: 15_000 });
  expect(await groups.caughtUp(reading, 100)).toBe(false);
  release();
  expect(await groups.caughtUp(reading, 10_000)).toBe(true);
  expect(seen).toBe(4);
  await Promise.all([consumer.close(), producer.close(), groups.close()]);
}, 40_000);
