import type { KafkaMessage } from 'kafkajs';
import type { InboundMessage } from './messages.js';

type HeaderValue = NonNullable<KafkaMessage['headers']>[string];

function headerText(value: HeaderValue): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? undefined : first.toString();
}

/** A record of kafkajs as our message. Of a header that came more than once the first counts. */
export function toInbound(topic: string, partition: number, message: KafkaMessage): InboundMessage {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const text = headerText(value);
    if (text !== undefined) headers[name] = text;
  }
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers,
    timestampMs: Number(message.timestamp),
  };
}
