import { eventually, tcpProxy } from '@counterpart/testing';
import { AssignerProtocol } from 'kafkajs';
import { createClient } from './kafkajs-client.js';
import { createConsumer, type ConsumerOptions } from './kafkajs-consumer.js';
import { createProducer } from './kafkajs-producer.js';
import type { BatchHandler, StreamConsumer } from './stream-consumer.js';
import type { StreamProducer } from './stream-producer.js';
import { faultySockets } from './testing/faulty-sockets.js';
import { scratchTopic, textsOf, type ScratchTopic } from './testing/scratch-topic.js';

let topic: ScratchTopic;
let producer: StreamProducer;
const consumers: StreamConsumer[] = [];

beforeEach(async () => {
  topic = await scratchTopic(4);
  producer = createProducer(topic.client);
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
  await producer.close();
  await topic.drop();
});

async function consume(
  handler: BatchHandler,
  options: Partial<ConsumerOptions> = {},
): Promise<StreamConsumer> {
  const own = { ...topic.client, groupId: topic.name, topics: [topic.name], ...options };
  const consumer = createConsumer(own);
  consumers.push(consumer);
  await consumer.run(handler);
  return consumer;
}

const assignedTo = (consumer: StreamConsumer): number =>
  consumer.status().assigned[topic.name]?.length ?? 0;
const keys = Array.from({ length: 40 }, (_, n) => `k${n}`);
const sendAll = (texts: readonly string[]): Promise<void> =>
  producer.send(texts.map((text) => topic.message(text)));

test('K12, K15: a second member of the group in one process takes its share, nothing is lost', async () => {
  const read: string[] = [];
  const slow: BatchHandler = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    read.push(...textsOf(batch));
  };
  await sendAll(keys.slice(0, 20));
  const first = await consume(slow);
  await eventually(() => expect(assignedTo(first)).toBe(4), { timeoutMs: 15_000 });
  const second = await consume(slow);
  await eventually(() => expect([assignedTo(first), assignedTo(second)]).toEqual([2, 2]), {
    timeoutMs: 20_000,
  });
  await sendAll(keys.slice(20));
  await eventually(() => expect(new Set(read)).toEqual(new Set(keys)), { timeoutMs: 20_000 });
  await eventually(async () =>
    expect((await topic.committed(topic.name)).reduce((sum, at) => sum + at, 0)).toBe(40),
  );
  // Read again at most: what a member had begun when the second came.
  expect(read.length).toBeLessThanOrEqual(60);
}, 60_000);

test('K7: a member that was left out does not move the offsets of the new owner back', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const isLate = { begun: false, ended: false };
  const timing = { sessionTimeoutMs: 6_000, rebalanceTimeoutMs: 1_000 };
  await sendAll(keys.slice(0, 8));
  await consume(async () => {
    if (isLate.begun) return;
    isLate.begun = true;
    await held;
    isLate.ended = true;
  }, timing);
  await eventually(() => expect(isLate.begun).toBe(true), { timeoutMs: 15_000 });

  const read: string[] = [];
  const second = await consume(
    (batch) => Promise.resolve(void read.push(...textsOf(batch))),
    timing,
  );
  await eventually(() => expect(assignedTo(second)).toBe(4), { timeoutMs: 20_000 });
  await sendAll(keys.slice(8));
  await eventually(() => expect(read).toHaveLength(40), { timeoutMs: 15_000 });
  const committed = await topic.committed(topic.name);
  expect(committed.reduce((sum, at) => sum + at, 0)).toBe(40);

  const seen: number[] = [];
  release();
  await eventually(() => expect(isLate.ended).toBe(true));
  await eventually(
    async () => {
      seen.push((await topic.committed(topic.name)).reduce((sum, at) => sum + at, 0));
      expect(seen.length).toBeGreaterThan(20);
    },
    { intervalMs: 100 },
  );
  expect(new Set(seen)).toEqual(new Set([40]));
}, 90_000);

test('K6: a consumer that ended for good says so, once', async () => {
  // A member that knows another assignment protocol only: the group cannot take a second kind.
  const other = createClient(topic.client).consumer({
    groupId: topic.name,
    partitionAssigners: [
      () => ({
        name: 'Other',
        version: 1,
        assign: () => Promise.resolve([]),
        protocol: ({ topics }) => ({
          name: 'Other',
          metadata: AssignerProtocol.MemberMetadata.encode({
            version: 1,
            topics,
            userData: Buffer.alloc(0),
          }),
        }),
      }),
    ],
  });
  await other.connect();
  await other.subscribe({ topics: [topic.name] });
  let isJoined = false;
  other.on(other.events.GROUP_JOIN, () => {
    isJoined = true;
  });
  await other.run({ eachMessage: () => Promise.resolve() });
  await eventually(() => expect(isJoined).toBe(true), { timeoutMs: 15_000 });

  const crashes: Error[] = [];
  const consumer = await consume(() => Promise.resolve(), {
    onCrash: (error) => void crashes.push(error),
  });
  await eventually(() => expect(crashes).toHaveLength(1), { timeoutMs: 15_000 });
  expect(consumer.status()).toMatchObject({ connected: false, joined: false, crashed: true });
  await other.disconnect();
}, 60_000);

test('a broker that is away for a while costs time only', async () => {
  const [host = '', port = ''] = (topic.client.brokers[0] ?? '').split(':');
  const proxy = await tcpProxy(host, Number(port));
  const through = faultySockets();
  through.viaPort = proxy.port;
  const read: string[] = [];
  const crashes: Error[] = [];
  const consumer = await consume((batch) => Promise.resolve(void read.push(...textsOf(batch))), {
    socketFactory: through.socketFactory,
    onCrash: (error) => void crashes.push(error),
  });
  await sendAll(['before']);
  await eventually(() => expect(read).toEqual(['before']), { timeoutMs: 15_000 });

  proxy.refuse();
  await sendAll(['meanwhile']);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  proxy.restore();
  await sendAll(['after']);
  await eventually(() => expect(new Set(read)).toEqual(new Set(['before', 'meanwhile', 'after'])), {
    timeoutMs: 40_000,
  });
  expect(crashes).toEqual([]);
  expect(consumer.status()).toMatchObject({ joined: true, crashed: false });

  proxy.refuse();
  const closingAt = performance.now();
  await consumer.close();
  expect(performance.now() - closingAt).toBeLessThan(10_000);
  await proxy.close();
}, 90_000);

test('K16: a consumer notices sockets that close without an error', async () => {
  const sockets = faultySockets();
  const read: string[] = [];
  await consume((batch) => Promise.resolve(void read.push(...textsOf(batch))), {
    socketFactory: sockets.socketFactory,
  });
  await sendAll(['a']);
  await eventually(() => expect(read).toEqual(['a']), { timeoutMs: 15_000 });
  sockets.closeSilently();
  await sendAll(['b']);
  await eventually(() => expect(new Set(read)).toEqual(new Set(['a', 'b'])), { timeoutMs: 8_000 });
}, 60_000);
