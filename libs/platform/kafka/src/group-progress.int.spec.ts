import { eventually, tcpProxy, testEnv, uniqueTenant } from '@counterpart/testing';
import { watchGroups } from './group-progress.js';
import { createConsumer } from './kafkajs-consumer.js';
import { createProducer } from './kafkajs-producer.js';
import { faultySockets } from './testing/faulty-sockets.js';
import { createMissingTopics } from './topics-admin.js';

test('a group has caught up when it has committed what was there, not before', async () => {
  const name = uniqueTenant();
  const client = { brokers: testEnv().kafkaBrokers, clientId: name };
  await createMissingTopics(client, [{ topic: name, partitions: 3, config: {} }]);
  const producer = createProducer(client);
  const groups = await watchGroups(client);
  const reading = [{ groupId: name, topics: [name] }];
  expect(await groups.behind(reading, 1_000)).toBeNull();

  await producer.send(
    ['a', 'b', 'c', 'd'].map((key) => ({ topic: name, key, value: Buffer.from(key), headers: {} })),
  );
  expect(await groups.behind(reading, 100)).toMatch(`${name} at ${name}/`);

  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let seen = 0;
  const consumer = createConsumer({ ...client, groupId: name, topics: [name] });
  await consumer.run(async (batch) => {
    seen += batch.length;
    await held;
  });
  await eventually(() => expect(seen).toBeGreaterThan(0), { timeoutMs: 15_000 });
  expect(await groups.behind(reading, 100)).toMatch(`${name} at ${name}/`);
  release();
  expect(await groups.behind(reading, 10_000)).toBeNull();
  expect(seen).toBe(4);
  await Promise.all([consumer.close(), producer.close(), groups.close()]);
}, 40_000);

test('a broker that was away is asked again on new connections', async () => {
  const [host = '', port = ''] = (testEnv().kafkaBrokers[0] ?? '').split(':');
  const proxy = await tcpProxy(host, Number(port));
  const name = uniqueTenant();
  const brokers = testEnv().kafkaBrokers;
  await createMissingTopics({ brokers, clientId: name }, [
    { topic: name, partitions: 1, config: {} },
  ]);
  const sockets = faultySockets();
  sockets.viaPort = proxy.port;
  const groups = await watchGroups({
    brokers,
    clientId: name,
    socketFactory: sockets.socketFactory,
  });
  const reading = [{ groupId: name, topics: [name] }];
  expect(await groups.behind(reading, 1_000)).toBeNull();
  proxy.refuse();
  expect(await groups.behind(reading, 500)).toMatch('the broker cannot be asked');
  proxy.restore();
  expect(await groups.behind(reading, 20_000)).toBeNull();
  await groups.close();
  await proxy.close();
}, 60_000);
