import { Kafka, logLevel } from 'kafkajs';
import { faultySockets } from './testing/faulty-sockets.js';
import { scratchTopic, textsOf } from './testing/scratch-topic.js';

/**
 * Why our producer is not idempotent in Kafka's sense. If this spec ever fails, kafkajs or the
 * broker has changed and the decision can be looked at again.
 */
test('K10: the idempotent producer of kafkajs acknowledges a message that is not stored', async () => {
  const topic = await scratchTopic();
  const sockets = faultySockets();
  const kafka = new Kafka({
    brokers: [...topic.client.brokers],
    socketFactory: sockets.socketFactory,
    logLevel: logLevel.NOTHING,
    retry: { retries: 1 },
  });
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries: 1, initialRetryTime: 50 },
  });
  const send = (text: string) =>
    producer.send({ topic: topic.name, acks: -1, messages: [{ key: 'k', value: text }] });

  try {
    await producer.connect();
    sockets.losesNext = 2;
    await expect(send('a')).rejects.toThrow();
    const [answer] = await send('b');
    await send('c');
    expect(answer?.errorCode).toBe(0);
    expect(textsOf(await topic.readAll())).toEqual(['a', 'c']);
  } finally {
    await producer.disconnect();
    await topic.drop();
  }
}, 30_000);
