import type { Redis } from 'ioredis';
import { attempt, isUnavailable, type Unavailable } from './redis-connection.js';

/**
 * "Something may be ready": fire and forget. A lost wake-up costs one polling interval, so nobody
 * may wait for one without also polling.
 */
export interface WakeUps {
  /** `sent` means that Redis took it, not that anyone listens. */
  publish(channel: string, message: string): Promise<{ kind: 'sent' } | Unavailable>;
  /**
   * Listens from now on, through reconnects, until the returned function is called. Handlers of
   * one channel are called in order of subscription; one that throws does not stop the others.
   */
  subscribe(channel: string, handler: (message: string) => void): () => void;
}

export function wakeUpsOn(publisher: Redis, subscriber: Redis, prefix: string): WakeUps {
  const handlers = new Map<string, Set<(message: string) => void>>();
  const listen = (channel: string): void =>
    void subscriber.subscribe(channel).catch(() => undefined);
  // A channel asked for while Redis was down is taken up with the next connection.
  subscriber.on('ready', () => [...handlers.keys()].forEach(listen));
  subscriber.on('message', (channel, message) => {
    for (const handler of handlers.get(channel) ?? []) callSafely(handler, message);
  });
  return {
    async publish(channel, message) {
      const answer = await attempt(() => publisher.publish(`${prefix}wake:${channel}`, message));
      return isUnavailable(answer) ? answer : { kind: 'sent' };
    },
    subscribe(channel, handler) {
      const name = `${prefix}wake:${channel}`;
      const known = handlers.get(name);
      if (known) known.add(handler);
      else {
        handlers.set(name, new Set([handler]));
        listen(name);
      }
      return () => unsubscribe(subscriber, handlers, name, handler);
    },
  };
}

function callSafely(handler: (message: string) => void, message: string): void {
  try {
    handler(message);
  } catch {
    // A wake-up carries no work that could be lost.
  }
}

function unsubscribe(
  subscriber: Redis,
  handlers: Map<string, Set<(message: string) => void>>,
  name: string,
  handler: (message: string) => void,
): void {
  const set = handlers.get(name);
  set?.delete(handler);
  if (set?.size !== 0) return;
  handlers.delete(name);
  void subscriber.unsubscribe(name).catch(() => undefined);
}
