import { KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError } from 'kafkajs';
import type { OutboundMessage } from './messages.js';
import { toSendError } from './send-error.js';
import { sizeOf, splitBySize } from './send-size.js';

const messageOf = (key: string, bytes: number): OutboundMessage => ({
  topic: 't',
  key,
  value: Buffer.alloc(bytes),
  headers: {},
});

test('messages are cut into requests by size, in order, none lost', () => {
  const messages = ['a', 'b', 'c', 'd'].map((key) => messageOf(key, 100));
  const parts = splitBySize(messages, 2 * sizeOf(messageOf('a', 100)));
  expect(parts.map((part) => part.map(({ key }) => key))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(splitBySize([messageOf('big', 5_000)], 10)).toHaveLength(1);
  expect(splitBySize([])).toEqual([]);
});

test('bytes are counted, not characters', () => {
  expect(sizeOf({ topic: 't', key: 'é', value: null, headers: { h: '€' } })).toBe(
    32 + 2 + 1 + 3 + 8,
  );
});

const broker = (type: string): Error =>
  new KafkaJSProtocolError(Object.assign(new Error(type), { type }));

test.each([
  ['MESSAGE_TOO_LARGE', 'message-too-large', false],
  ['UNKNOWN_TOPIC_OR_PARTITION', 'unknown-topic', true],
  ['TOPIC_AUTHORIZATION_FAILED', 'refused', false],
  ['NOT_ENOUGH_REPLICAS', 'not-stored', true],
])('what the broker says, also behind exhausted retries: %s', (type, code, retriable) => {
  const error = broker(type);
  const wrapped = new KafkaJSNumberOfRetriesExceeded(error, { retryCount: 0, retryTime: 1 });
  Object.assign(wrapped, { cause: error });
  expect(toSendError(error)).toMatchObject({ name: 'KafkaSendError', code, retriable });
  expect(toSendError(wrapped)).toMatchObject({ code, retriable });
});

test('whatever else was thrown is an unstored message, worth another try', () => {
  expect(toSendError('what')).toMatchObject({ code: 'not-stored', retriable: true });
  const once = toSendError(new Error('x'));
  expect(toSendError(once)).toBe(once);
});
