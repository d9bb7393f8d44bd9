/** What waits in an outbox: the shape of platform-kafka's OutboundMessage. */
export interface OutboxMessage {
  readonly topic: string;
  readonly key: string;
  /** Null is a tombstone of a compacted topic. */
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where a relay publishes; platform-kafka's StreamProducer is one. `send` resolves when all
 * messages are acknowledged. It rejects with an error whose `retriable` is false when a message
 * can never be accepted as it is, and with anything else when it may be tried again.
 */
export interface OutboxProducer {
  send(messages: readonly OutboxMessage[]): Promise<void>;
}

const fieldOf = (error: unknown, name: 'retriable' | 'code'): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** True when sending the same message again cannot help. */
export const isRefusedForGood = (error: unknown): boolean => fieldOf(error, 'retriable') === false;

/** The stable code of an error, else `unknown`. */
export function codeOf(error: unknown): string {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' ? code : 'unknown';
}
