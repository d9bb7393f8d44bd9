import { Redis, type RedisOptions } from 'ioredis';

/**
 * Redis only speeds things up: every answer it gives has a fallback that is right without it. So
 * each operation has a short deadline and ends in a value, `unavailable`, never in an exception.
 */
export const unavailable = { kind: 'unavailable' } as const;
export type Unavailable = typeof unavailable;

/** What a worker is ready to lose by asking a Redis that does not answer. */
export const OPERATION_DEADLINE_MS = 250;
/** While Redis is down it is asked for a connection at most this often. */
const RECONNECT_DELAY_MAX_MS = 2_000;

/** Opens a connection that reconnects for ever and queues nothing while it is down. */
export function openConnection(url: string, name: string): Redis {
  const options: RedisOptions = {
    connectionName: name,
    // A command that waits for a reconnect would act long after its caller went on.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1_000,
    // A stop does not wait for a Redis that no longer answers.
    disconnectTimeout: OPERATION_DEADLINE_MS,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), RECONNECT_DELAY_MAX_MS),
  };
  const client = new Redis(url, options);
  // The state is read from `status`; without a listener every failed connect would be printed.
  client.on('error', () => undefined);
  return client;
}

/** Runs one command under the deadline. Anything but an answer in time is `unavailable`. */
export async function attempt<T>(
  command: () => Promise<T>,
  deadlineMs = OPERATION_DEADLINE_MS,
): Promise<T | Unavailable> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Unavailable>((resolve) => {
    timer = setTimeout(() => resolve(unavailable), deadlineMs);
  });
  try {
    return await Promise.race([command(), deadline]);
  } catch {
    return unavailable;
  } finally {
    clearTimeout(timer);
  }
}

export const isUnavailable = (answer: unknown): answer is Unavailable => answer === unavailable;
