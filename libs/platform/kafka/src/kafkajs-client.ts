import { connect, type Socket } from 'node:net';
import { silentLogger, type Logger } from '@counterpart/platform-telemetry';
import { Kafka, logLevel, type KafkaConfig, type LogEntry } from 'kafkajs';
import { offsetsOutOfRange } from './kafka-metrics.js';
import { quietTimers } from './quiet-timers.js';

export interface ClientOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Where the client's warnings go; nowhere unless told. */
  readonly logger?: Logger | undefined;
  /** For specs that cut connections on purpose. */
  readonly socketFactory?: KafkaConfig['socketFactory'];
}

export interface Client {
  readonly kafka: Kafka;
  /** Closes every connection at once, whatever waits on it. */
  destroyConnections(): void;
}

interface Timing {
  readonly requestTimeoutMs: number;
  readonly connectRetries: number;
}

const connectTimeoutMs = 3_000;
const keepAliveMs = 60_000;
const ordinaryTiming: Timing = { requestTimeoutMs: 10_000, connectRetries: 5 };

quietTimers();

const plainSocket: NonNullable<KafkaConfig['socketFactory']> = ({ host, port, onConnect }) => {
  const socket = connect({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  return socket;
};

/**
 * kafkajs listens for `end` and `error` only. A socket that closes with neither, as after a local
 * destroy, would stay in use and every request on it would wait for its time-out.
 */
function announceSilentClose(socket: Socket): void {
  let isAnnounced = false;
  const announced = (): void => {
    isAnnounced = true;
  };
  socket.once('end', announced).once('error', announced);
  socket.once('close', () => {
    if (!isAnnounced) socket.emit('end');
  });
}

/** The one event of kafkajs that has no event: records we had not read are gone. */
const outOfRangeText = 'Offset out of range, resetting to default offset';

function writeLog(logger: Logger, { level, log }: LogEntry): void {
  if (log.message === outOfRangeText) {
    const topic = String(log['topic']);
    offsetsOutOfRange.add({ topic });
    logger.error(
      { topic, partition: Number(log['partition']), code: 'offset-out-of-range' },
      'Records were removed before they were read; reading goes on at the oldest one',
    );
  } else if (level === logLevel.ERROR) {
    logger.warn({ detail: log.message }, 'The Kafka client reports a problem');
  }
}

/**
 * A client of its own for each producer and each consumer: two consumers of one group built from
 * one client share one map of committed offsets.
 */
export function openClient(options: ClientOptions, timing: Timing = ordinaryTiming): Client {
  const sockets = new Set<Socket>();
  const socketFactory = options.socketFactory ?? plainSocket;
  const logger = options.logger ?? silentLogger;
  const kafka = new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeLog(logger, entry),
    connectionTimeout: connectTimeoutMs,
    requestTimeout: timing.requestTimeoutMs,
    retry: { retries: timing.connectRetries, initialRetryTime: 100, maxRetryTime: 5_000 },
    socketFactory: (args) => {
      const socket = socketFactory(args);
      announceSilentClose(socket);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  return { kafka, destroyConnections: () => sockets.forEach((socket) => socket.destroy()) };
}

/** As `openClient`, for clients that are closed by their own means. */
export const createClient = (options: ClientOptions): Kafka => openClient(options).kafka;
