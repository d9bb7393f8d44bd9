import type { Codec } from '@counterpart/contracts';
import type { OutboundMessage } from '@counterpart/platform-kafka';
import { appendOutbox } from '@counterpart/platform-outbox';
import type { Tx } from '@counterpart/platform-postgres';
import { keyOf, messageIdOf, type Outgoing } from '../../domain/outgoing.js';

/** Puts messages into the outbox, in the transaction of the change they tell of. */
export type SaveOutgoing = (tx: Tx, messages: readonly Outgoing[]) => Promise<void>;

/** `encode` turns a message's value into the bytes of its topic. */
export const createSaveOutgoing =
  (encode: (message: Outgoing) => Buffer): SaveOutgoing =>
  async (tx, messages) => {
    if (messages.length === 0) return;
    await appendOutbox(
      tx,
      'sync',
      messages.map((message) => toOutbound(message, encode)),
    );
  };

const toOutbound = (message: Outgoing, encode: (message: Outgoing) => Buffer): OutboundMessage => {
  const messageId = messageIdOf(message);
  return {
    topic: message.topic,
    key: keyOf(message),
    value: encode(message),
    headers: {
      ...(messageId === null ? {} : { 'message-id': messageId }),
      ...(message.traceparent === null ? {} : { traceparent: message.traceparent }),
    },
  };
};

/** Bytes of a message in the format of its topic. */
export const encodeWith = (codec: Codec, message: Outgoing): Buffer =>
  codec.encode(message.topic, message.value as never);
