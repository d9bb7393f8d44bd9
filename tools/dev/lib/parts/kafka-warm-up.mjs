import { until } from '../until.mjs';

/**
 * A broker that accepts connections is not yet one that works: the first use of consumer groups
 * creates their topic, and until its partitions are loaded every client sees retriable errors.
 * So each kind of request is made once before the broker is called ready.
 */

const TOPIC = 'counterpart.warm-up';

/** Hash to the four partitions of the offsets topic: one-letter names have consecutive hashes. */
const GROUPS = ['a', 'b', 'c', 'd'];

/** Resolves when the broker has answered produce, consume and group requests. Throws after the time is up. */
export async function warmUp(port, { timeoutMs, giveUp }) {
  const { Kafka, logLevel } = (await import('kafkajs')).default;
  const kafka = new Kafka({
    clientId: 'counterpart-dev',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1000,
    retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 0 },
  });
  const admin = kafka.admin();
  try {
    await until('Kafka', () => admin.connect().then(() => true), { timeoutMs, giveUp });
    await until('the warm-up topic', () => hasTopic(admin), { timeoutMs, giveUp });
    await until('the group coordinators', () => groupsAnswer(admin), { timeoutMs, giveUp });
    await until('the first message', () => sendAndReceive(kafka), { timeoutMs, giveUp });
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

async function hasTopic(admin) {
  if ((await admin.listTopics()).includes(TOPIC)) return true;
  const topic = { topic: TOPIC, numPartitions: 1, replicationFactor: 1 };
  await admin.createTopics({ topics: [topic], waitForLeaders: true });
  return true;
}

async function groupsAnswer(admin) {
  for (const groupId of GROUPS) await admin.fetchOffsets({ groupId, topics: [TOPIC] });
  return true;
}

async function sendAndReceive(kafka) {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries: 3 },
  });
  const consumer = kafka.consumer({ groupId: 'counterpart-warm-up', maxWaitTimeInMs: 20 });
  try {
    await Promise.all([producer.connect(), consumer.connect()]);
    await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
    let received = () => {};
    const arrival = new Promise((resolve) => (received = resolve));
    await consumer.run({ eachMessage: async () => received() });
    await producer.send({ topic: TOPIC, acks: -1, messages: [{ value: 'warm' }] });
    const tooLate = new Promise((_, reject) =>
      setTimeout(reject, 5000, new Error('sent and not received in 5 s')).unref(),
    );
    await Promise.race([arrival, tooLate]);
    return true;
  } finally {
    await Promise.allSettled([consumer.disconnect(), producer.disconnect()]);
  }
}
