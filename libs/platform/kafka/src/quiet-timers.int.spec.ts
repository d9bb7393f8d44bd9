import { eventually } from '@counterpart/testing';
import { createConsumer } from './kafkajs-consumer.js';
import { createProducer } from './kafkajs-producer.js';
import { scratchTopic } from './testing/scratch-topic.js';

test('K1: an idle producer and an idle consumer arm no short timers', async () => {
  const topic = await scratchTopic();
  const producer = createProducer(topic.client);
  const consumer = createConsumer({ ...topic.client, groupId: topic.name, topics: [topic.name] });
  const received: number[] = [];
  await consumer.run((batch) => Promise.resolve(void received.push(batch.length)));
  await producer.send([topic.message('a')]);
  await eventually(() => expect(received).toEqual([1]));

  const delays: unknown[] = [];
  const plain = globalThis.setTimeout;
  const counting = ((callback: () => void, delay?: number) => {
    delays.push(delay);
    return plain(callback, delay);
  }) as typeof setTimeout;
  globalThis.setTimeout = counting;
  await new Promise((resolve) => plain(resolve, 1_000));
  globalThis.setTimeout = plain;
  expect(delays.filter((delay) => !(Number(delay) > 5)).length).toBeLessThan(5);

  await Promise.all([producer.close(), consumer.close()]);
  await topic.drop();
}, 30_000);

test('K1: requests that wait for their turn are still sent', async () => {
  const topic = await scratchTopic();
  const producer = createProducer(topic.client);
  await Promise.all(Array.from({ length: 200 }, (_, n) => producer.send([topic.message(`k${n}`)])));
  expect(await topic.readAll()).toHaveLength(200);
  await producer.close();
  await topic.drop();
}, 30_000);
