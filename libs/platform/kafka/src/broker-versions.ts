/**
 * kafkajs 2.2.4 sends the newest request versions it knows unless the broker's *maximum* is lower;
 * it never looks at the minimum. A broker that has dropped those versions would answer with
 * closed connections. So we ask before we start, with one plain request, and refuse in a sentence.
 */
import { connect, type Socket } from 'node:net';
import { KafkaStartError } from './stream-consumer.js';

/** API key → name and newest version in kafkajs 2.2.4, of the requests this library makes. */
export const requestVersions: ReadonlyMap<number, readonly [name: string, newest: number]> =
  new Map([
    [0, ['Produce', 7]],
    [1, ['Fetch', 11]],
    [2, ['ListOffsets', 3]],
    [3, ['Metadata', 6]],
    [8, ['OffsetCommit', 5]],
    [9, ['OffsetFetch', 4]],
    [10, ['FindCoordinator', 2]],
    [11, ['JoinGroup', 5]],
    [12, ['Heartbeat', 3]],
    [13, ['LeaveGroup', 3]],
    [14, ['SyncGroup', 3]],
    [18, ['ApiVersions', 2]],
    [19, ['CreateTopics', 3]],
    [20, ['DeleteTopics', 1]],
  ]);

/** Lowest and highest version a broker takes, by API key. */
export type BrokerVersions = ReadonlyMap<number, readonly [min: number, max: number]>;

/** What we would send and the broker no longer takes, a phrase each. */
export function unsupportedRequests(broker: BrokerVersions): readonly string[] {
  const found: string[] = [];
  for (const [apiKey, [name, newest]] of requestVersions) {
    const range = broker.get(apiKey);
    if (range !== undefined && range[0] > newest) {
      found.push(`${name} from version ${range[0]} (this client speaks ${newest})`);
    }
  }
  return found;
}

const apiVersionsKey = 18;
const answerMaxMs = 5_000;
const answerBytesMax = 64 * 1024;

/** ApiVersions v0, which every broker answers. */
function requestBytes(): Buffer {
  const clientId = Buffer.from('counterpart');
  const request = Buffer.alloc(4 + 2 + 2 + 4 + 2 + clientId.length);
  request.writeInt32BE(request.length - 4, 0);
  request.writeInt16BE(apiVersionsKey, 4);
  request.writeInt16BE(0, 6);
  request.writeInt32BE(1, 8);
  request.writeInt16BE(clientId.length, 12);
  clientId.copy(request, 14);
  return request;
}

/** Reads a whole answer: size, correlation id, error code, then key, min and max of each API. */
export function readBrokerVersions(answer: Buffer): BrokerVersions {
  const versions = new Map<number, readonly [number, number]>();
  const count = answer.readInt32BE(10);
  for (let at = 14; at < 14 + count * 6; at += 6) {
    const range = [answer.readInt16BE(at + 2), answer.readInt16BE(at + 4)] as const;
    versions.set(answer.readInt16BE(at), range);
  }
  return versions;
}

function readAnswer(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    socket.setTimeout(answerMaxMs, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the broker closed the connection')));
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const size = received.length < 4 ? Infinity : received.readInt32BE(0) + 4;
      if (received.length >= size) resolve(received.subarray(0, size));
      else if (received.length > answerBytesMax) reject(new Error('not an answer of Kafka'));
    });
  });
}

async function askBroker(address: string): Promise<BrokerVersions> {
  const cut = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, cut), port: Number(address.slice(cut + 1)) });
  try {
    socket.write(requestBytes());
    return readBrokerVersions(await readAnswer(socket));
  } finally {
    socket.destroy();
  }
}

/** The versions of the first broker that answers. Rejects with `KafkaStartError` when none does. */
export async function brokerVersions(brokers: readonly string[]): Promise<BrokerVersions> {
  let last: unknown;
  for (const broker of brokers) {
    try {
      return await askBroker(broker);
    } catch (error) {
      last = error;
    }
  }
  const text = `no Kafka broker answers at ${brokers.join(', ')}`;
  throw new KafkaStartError('broker-unreachable', text, last);
}

/** Rejects with `KafkaStartError` when the broker does not take what we would send. */
export async function requireSupportedBroker(brokers: readonly string[]): Promise<void> {
  const unsupported = unsupportedRequests(await brokerVersions(brokers));
  if (unsupported.length === 0) return;
  throw new KafkaStartError(
    'broker-too-new',
    `The Kafka broker is too new for this client: it takes ${unsupported.join(', ')}. ` +
      'Use a broker of version 4, or a release of counterpart with a newer client.',
  );
}
