import { eventually } from '@counterpart/testing';
import { createConsumer, type ConsumerOptions } from './kafkajs-consumer.js';
import { createProducer } from './kafkajs-producer.js';
import type { InboundMessage } from './messages.js';
import type { BatchHandler, StreamConsumer } from './stream-consumer.js';
import type { StreamProducer } from './stream-producer.js';
import { scratchTopic, textsOf, type ScratchTopic } from './testing/scratch-topic.js';

let topic: ScratchTopic;
let producer: StreamProducer;
const consumers: StreamConsumer[] = [];

beforeEach(async () => {
  topic = await scratchTopic(3);
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

const send = (...keys: string[]): Promise<void> =>
  producer.send(keys.map((key) => topic.message(key)));
const committedSum = async (): Promise<number> =>
  (await topic.committed(topic.name)).reduce((sum, offset) => sum + Math.max(0, offset), 0);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A key for each of the three partitions. */
const [bad, good, other] = ['k2', 'k3', 'k0'];

test('partitions of one fetch come in one batch; what was handled is committed', async () => {
  const keys = Array.from({ length: 30 }, (_, n) => `k${n}`);
  await send(...keys);
  const batches: (readonly InboundMessage[])[] = [];
  const consumer = await consume((batch) => Promise.resolve(void batches.push(batch)));
  await eventually(async () => expect(await committedSum()).toBe(30), { timeoutMs: 15_000 });
  expect(batches.length).toBeLessThan(4);
  expect(textsOf(batches.flat()).toSorted()).toEqual(keys.toSorted());
  expect(consumer.status()).toMatchObject({
    connected: true,
    joined: true,
    crashed: false,
    failingSinceMs: null,
    assigned: { [topic.name]: expect.arrayContaining([0, 1, 2]) },
    lastPollMs: expect.any(Number),
  });
}, 40_000);

test('K2: a handler that runs longer than the session keeps its place in the group', async () => {
  await send('a');
  const seen: string[] = [];
  const consumer = await consume(
    async (batch) => {
      seen.push(...textsOf(batch));
      if (seen.length === 1) await sleep(8_000);
    },
    { sessionTimeoutMs: 6_000 },
  );
  await eventually(() => expect(seen).toEqual(['a']), { timeoutMs: 15_000 });
  await send('b');
  await eventually(async () => expect(await committedSum()).toBe(2), { timeoutMs: 20_000 });
  expect(seen).toEqual(['a', 'b']);
  expect(consumer.status().joined).toBe(true);
}, 60_000);

test('K3, K4, K5: a failing partition is held alone, the others go on, nothing is skipped', async () => {
  let isBroken = true;
  let running = 0;
  const handled: string[] = [];
  const consumer = await consume(async (batch) => {
    expect((running += 1)).toBe(1);
    await sleep(5);
    running -= 1;
    if (isBroken && batch.some(({ key }) => key === bad)) throw new Error('database is away');
    handled.push(...textsOf(batch));
  });
  await producer.send(['1', '2', '3'].map((text) => topic.message(bad, text)));
  await eventually(() => expect(consumer.status().failingSinceMs).not.toBeNull());
  const startedAt = performance.now();
  for (let n = 0; n < 5; n += 1) await send(good, other);
  await eventually(() => expect(handled).toHaveLength(10));
  expect(performance.now() - startedAt).toBeLessThan(4_000);

  isBroken = false;
  await producer.send([topic.message(bad, '4')]);
  await eventually(() => expect(handled).toHaveLength(14), { timeoutMs: 15_000 });
  expect(handled.filter((text) => /^\d$/.test(text))).toEqual(['1', '2', '3', '4']);
  await eventually(async () => expect(await committedSum()).toBe(14));
  expect(consumer.status()).toMatchObject({ joined: true, crashed: false, failingSinceMs: null });
}, 60_000);

test('K8, K14: closing in the middle skips nothing; the next reader begins behind what was kept', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => String(n));
  await producer.send(texts.map((text) => topic.message('k', text)));
  const first: string[] = [];
  let isClosed = false;
  const consumer = await consume(
    async (batch) => {
      expect(isClosed).toBe(false);
      first.push(...textsOf(batch));
      await sleep(300);
    },
    { batchMax: 4 },
  );
  await eventually(() => expect(first.length).toBeGreaterThanOrEqual(4), { timeoutMs: 15_000 });
  await consumer.close();
  isClosed = true;
  expect(first.length).toBeLessThan(20);
  expect(consumer.status()).toMatchObject({ connected: false, joined: false });
  expect(await committedSum()).toBe(first.length);

  const second: string[] = [];
  await consume((batch) => Promise.resolve(void second.push(...textsOf(batch))));
  await eventually(() => expect([...first, ...second]).toEqual(texts), { timeoutMs: 15_000 });
}, 60_000);

test('K9: when unread records are gone, reading goes on at the oldest one, and it is told', async () => {
  const sendNumbers = (from: number, to: number): Promise<void> =>
    producer.send(
      Array.from({ length: to - from }, (_, n) => topic.message(bad, String(from + n))),
    );
  await sendNumbers(0, 3);
  const read: string[] = [];
  const handler: BatchHandler = (batch) => Promise.resolve(void read.push(...textsOf(batch)));
  const consumer = await consume(handler);
  await eventually(async () => expect(await committedSum()).toBe(3), { timeoutMs: 15_000 });
  await consumer.close();
  await sendNumbers(3, 10);
  const partitions = [{ partition: 0, offset: '8' }];
  await topic.admin.deleteTopicRecords({ topic: topic.name, partitions });

  const told: unknown[] = [];
  const quiet = (): void => undefined;
  const error = (fields: object): void => void told.push(fields);
  await consume(handler, { logger: { debug: quiet, info: quiet, warn: quiet, error } });
  await sendNumbers(10, 11);
  await eventually(() => expect(read).toEqual(['0', '1', '2', '8', '9', '10']), {
    timeoutMs: 15_000,
  });
  expect(told).toEqual([{ topic: topic.name, partition: 0, code: 'offset-out-of-range' }]);
}, 60_000);
