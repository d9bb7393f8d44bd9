import { tcpProxy } from '@counterpart/testing';
import { createProducer } from './kafkajs-producer.js';
import type { StreamProducer } from './stream-producer.js';
import { faultySockets, type FaultySockets } from './testing/faulty-sockets.js';
import { scratchTopic, textsOf, type ScratchTopic } from './testing/scratch-topic.js';

let topic: ScratchTopic;
let sockets: FaultySockets;
let producer: StreamProducer;

beforeEach(async () => {
  topic = await scratchTopic();
  sockets = faultySockets();
  const { socketFactory } = sockets;
  producer = createProducer({ ...topic.client, socketFactory, tryAgainForMs: 500 });
});
afterEach(async () => {
  await producer.close();
  await topic.drop();
});

const send = (...keys: string[]): Promise<void> =>
  producer.send(keys.map((key) => topic.message(key)));
const storedTexts = async (): Promise<readonly string[]> => textsOf(await topic.readAll());

test('K11: sends gather, one request at a time, and are stored in the order of the calls', async () => {
  const keys = Array.from({ length: 300 }, (_, n) => `m${n}`);
  await Promise.all(keys.map((key) => send(key)));
  for (const key of ['x', 'y']) await send(key);
  expect(await storedTexts()).toEqual([...keys, 'x', 'y']);
  expect(sockets.produced.atOnceMax).toBe(1);
  expect(sockets.produced.count).toBeLessThan(10);
}, 30_000);

test('K10: stored but the answer was lost: sent again, and what follows is really stored', async () => {
  await send('before');
  sockets.losesNext = 1;
  await send('a');
  await send('b');
  await send('c');
  expect(await storedTexts()).toEqual(['before', 'a', 'a', 'b', 'c']);
}, 30_000);

test('K10: a send that was given up makes no later acknowledged one disappear', async () => {
  sockets.losesProduceAnswers = true;
  await expect(send('a')).rejects.toMatchObject({
    name: 'KafkaSendError',
    code: 'broker-unreachable',
    retriable: true,
  });
  sockets.losesProduceAnswers = false;
  await send('b');
  await send('c');
  const stored = await storedTexts();
  expect(stored.slice(-2)).toEqual(['b', 'c']);
  expect(new Set(stored)).toEqual(new Set(['a', 'b', 'c']));
}, 30_000);

test('what waits behind a send that was given up fails with it, so nothing overtakes', async () => {
  await send('before');
  sockets.losesProduceAnswers = true;
  const first = send('a');
  await new Promise((resolve) => setImmediate(resolve));
  const results = await Promise.allSettled([first, send('b'), send('c')]);
  sockets.losesProduceAnswers = false;
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await storedTexts()).not.toContain('b');
}, 30_000);

test('K16: sockets that close without an error are noticed', async () => {
  await send('a');
  for (const key of ['b', 'c']) {
    sockets.closeSilently();
    const startedAt = performance.now();
    await send(key);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
  expect(await storedTexts()).toEqual(['a', 'b', 'c']);
}, 30_000);

test('K16: a broker that keeps silent times out; then new connections are made', async () => {
  const [host = '', port = ''] = (topic.client.brokers[0] ?? '').split(':');
  const proxy = await tcpProxy(host, Number(port));
  sockets.viaPort = proxy.port;
  await send('a');
  proxy.hold();
  await expect(send('lost')).rejects.toMatchObject({ code: 'timed-out', retriable: true });
  proxy.restore();
  await send('b');
  expect((await storedTexts()).filter((text) => text !== 'lost')).toEqual(['a', 'b']);
  await producer.close();
  await proxy.close();
}, 40_000);

test('keys fall where the Java client puts them', async () => {
  const wide = await scratchTopic(12);
  // murmur2 of each key, as Kafka's own tests give it.
  const hashes = { 21: -973932308, foobar: -790332482, abc: 479470107 };
  await producer.send(Object.keys(hashes).map((key) => wide.message(key)));
  const found = Object.fromEntries((await wide.readAll()).map((one) => [one.key, one.partition]));
  const wanted = Object.entries(hashes).map(([key, hash]) => [key, (hash & 0x7fffffff) % 12]);
  expect(found).toEqual(Object.fromEntries(wanted));
  await wide.drop();
}, 30_000);

test('headers, empty values and tombstones arrive as they were', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await producer.send([
    { ...topic.message('k', 'v'), headers: { traceparent, 'message-id': 'é' } },
    { ...topic.message('k'), value: null },
  ]);
  const [full, tombstone] = await topic.readAll();
  expect(full).toMatchObject({ key: 'k', headers: { traceparent, 'message-id': 'é' } });
  expect(tombstone?.value).toEqual(Buffer.alloc(0));
}, 30_000);

test('many bytes at once are cut into requests the topic takes', async () => {
  const text = 'x'.repeat(300_000);
  await producer.send(Array.from({ length: 12 }, () => topic.message('same-key', text)));
  expect(await topic.readAll()).toHaveLength(12);
}, 30_000);

test('a message that is too large is refused alone, before and by the broker', async () => {
  const huge = topic.message('huge', 'x'.repeat(3_000_000));
  await expect(producer.send([huge])).rejects.toMatchObject({
    code: 'message-too-large',
    retriable: false,
  });
  const large = topic.message('large', 'x'.repeat(1_500_000)); // more than this topic takes
  const results = await Promise.allSettled([send('a'), producer.send([large]), send('b')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(new Set(await storedTexts())).toEqual(new Set(['a', 'b']));
}, 30_000);

test('an unknown topic, no broker, a closed producer: each says what it is', async () => {
  await expect(
    producer.send([{ ...topic.message('a'), topic: `${topic.name}-none` }]),
  ).rejects.toMatchObject({ code: 'unknown-topic' });
  await send('still works');

  const nowhere = createProducer({
    brokers: ['127.0.0.1:1'],
    clientId: 'spec',
    tryAgainForMs: 500,
  });
  await expect(nowhere.send([topic.message('a')])).rejects.toMatchObject({
    code: 'broker-unreachable',
    retriable: true,
  });
  await nowhere.close();
  await expect(nowhere.send([topic.message('a')])).rejects.toMatchObject({ code: 'closed' });
}, 30_000);
