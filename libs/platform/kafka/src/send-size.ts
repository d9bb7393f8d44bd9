import type { OutboundMessage } from './messages.js';

/** What the platform's topics take, with room for the envelope of a batch. */
export const messageBytesMax = 2 * 1024 * 1024 - 4 * 1024;
/**
 * All messages of a request may fall into one partition, where they form one batch that must stay
 * below the topic's limit.
 */
const requestBytesMax = 1024 * 1024;
/** Length fields, timestamp and offset of a record, more than ever needed. */
const recordOverheadBytes = 32;

/** Bytes of a message on the wire, a little more than in truth. */
export function sizeOf({ key, value, headers }: OutboundMessage): number {
  let size = recordOverheadBytes + Buffer.byteLength(key) + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers)) {
    size += Buffer.byteLength(name) + Buffer.byteLength(text) + 8;
  }
  return size;
}

/** The messages in order, cut into parts that fit one request each. */
export function splitBySize(
  messages: readonly OutboundMessage[],
  bytesMax = requestBytesMax,
): readonly (readonly OutboundMessage[])[] {
  const parts: OutboundMessage[][] = [];
  let part: OutboundMessage[] = [];
  let size = 0;
  for (const message of messages) {
    const bytes = sizeOf(message);
    if (part.length > 0 && size + bytes > bytesMax) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(message);
    size += bytes;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
