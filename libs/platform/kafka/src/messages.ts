/** A message as it came from a topic. `value` is empty for a tombstone of a compacted topic. */
export interface InboundMessage {
  readonly topic: string;
  readonly partition: number;
  /** Decimal digits: offsets go beyond what a number holds. */
  readonly offset: string;
  /** Empty when the producer set none. */
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** When the producer made it, ms since the epoch. */
  readonly timestampMs: number;
}

/** A message to be written. A null value is a tombstone: it removes the key of a compacted topic. */
export interface OutboundMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer | null;
  /** `message-id` and `traceparent` belong here; they are kept as they are. */
  readonly headers: Readonly<Record<string, string>>;
}
