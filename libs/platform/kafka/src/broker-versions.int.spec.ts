import { createServer, type AddressInfo, type Server } from 'node:net';
import { testEnv } from '@counterpart/testing';
import { brokerVersions, requireSupportedBroker } from './broker-versions.js';
import { createConsumer } from './kafkajs-consumer.js';
import { scratchTopic } from './testing/scratch-topic.js';

/** A server that answers every connection with these bytes. */
async function answering(bytes: Buffer): Promise<{ server: Server; address: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('the broker of the stack takes all that we send', async () => {
  const versions = await brokerVersions(testEnv().kafkaBrokers);
  expect(versions.get(0)?.[0]).toBeLessThanOrEqual(7);
  await requireSupportedBroker(testEnv().kafkaBrokers);
});

test('a broker that dropped our versions is refused by a sentence, before anything is sent', async () => {
  const answer = Buffer.alloc(20);
  answer.writeInt32BE(16, 0);
  answer.writeInt32BE(1, 10);
  answer.writeInt16BE(9, 16);
  answer.writeInt16BE(13, 18);
  const { server, address } = await answering(answer);
  const consumer = createConsumer({
    brokers: [address],
    clientId: 'spec',
    groupId: 'spec',
    topics: ['t'],
  });
  await expect(consumer.run(() => Promise.resolve())).rejects.toMatchObject({
    name: 'KafkaStartError',
    code: 'broker-too-new',
    message: expect.stringContaining('Produce from version 9 (this client speaks 7)'),
  });
  server.close();
});

test.each([
  ['something else', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['nothing', Buffer.alloc(0)],
])('an address that answers %s is no broker', async (_name, bytes) => {
  const { server, address } = await answering(bytes);
  await expect(requireSupportedBroker([address])).rejects.toMatchObject({
    code: 'broker-unreachable',
    message: `no Kafka broker answers at ${address}`,
  });
  server.close();
});

test('the second address is asked when the first is dead', async () => {
  await requireSupportedBroker(['127.0.0.1:1', ...testEnv().kafkaBrokers]);
});

test('a consumer of a topic that does not exist is refused by a sentence', async () => {
  const topic = await scratchTopic();
  const consumer = createConsumer({
    ...topic.client,
    groupId: topic.name,
    topics: [`${topic.name}-none`],
  });
  await expect(consumer.run(() => Promise.resolve())).rejects.toMatchObject({
    name: 'KafkaStartError',
    code: 'unknown-topic',
  });
  await consumer.close();
  await topic.drop();
}, 30_000);
