import type { OutboundMessage } from './messages.js';

/**
 * Writes messages, at least once and in order. Nothing is dropped in silence: what the broker has
 * not acknowledged is rejected, and may or may not be stored.
 */
export interface StreamProducer {
  /**
   * Resolves when every message is acknowledged by all in-sync replicas. Calls made while another
   * is under way travel together in the next request, in the order of the calls.
   *
   * Rejects with `KafkaSendError`. Then every call that waited behind the failed one is rejected
   * too, so that nothing later overtakes it: send the same messages again before anything later of
   * their keys, or give up with an error of your own.
   */
  send(messages: readonly OutboundMessage[]): Promise<void>;
  /** Waits for what is under way, then closes. Later sends are rejected. */
  close(): Promise<void>;
}

/** Stable codes of a failed send. */
export type KafkaSendCode =
  | 'broker-unreachable'
  | 'timed-out'
  | 'not-stored'
  | 'message-too-large'
  | 'unknown-topic'
  | 'refused'
  | 'closed';

/** The messages are not known to be stored. `retriable` says whether the same may work later. */
export class KafkaSendError extends Error {
  override readonly name = 'KafkaSendError';
  readonly code: KafkaSendCode;
  readonly retriable: boolean;

  constructor(code: KafkaSendCode, retriable: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retriable = retriable;
  }
}
