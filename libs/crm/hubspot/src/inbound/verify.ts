import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InboundRequest, VerifyVerdict } from '@counterpart/crm-port';

/** Older or newer than this and a signature counts for nothing: 5 minutes, as HubSpot asks. */
export const signatureAgeMaxMs = 300_000;

/** Escapes HubSpot takes out of the URI before it signs; all others stay as they are. */
const decodedEscapes: ReadonlyMap<string, string> = new Map([
  ['%3A', ':'],
  ['%2F', '/'],
  ['%3F', '?'],
  ['%40', '@'],
  ['%21', '!'],
  ['%24', '$'],
  ['%27', "'"],
  ['%28', '('],
  ['%29', ')'],
  ['%2A', '*'],
  ['%2C', ','],
  ['%3B', ';'],
]);

/** The URI as HubSpot signs it. One pass, so that `%253A` does not become `:`. */
export const signedUri = (url: string): string =>
  url.replace(/%[0-9a-f]{2}/gi, (escape) => decodedEscapes.get(escape.toUpperCase()) ?? escape);

/**
 * Signature v3: base64 of HMAC-SHA256 over method, URI, raw body and timestamp. Every secret is
 * tried, so that a rotation needs no moment; all are compared in full and in constant time.
 * Codes: `timestamp-missing`, `timestamp-malformed`, `timestamp-stale`, `timestamp-ahead`,
 * `signature-missing`, `signature-mismatch`, `secret-missing`. They are for our own counters; the
 * caller answers all of them alike.
 */
export const verifySignature = (
  request: InboundRequest,
  secrets: readonly string[],
): VerifyVerdict => {
  const timestamp = request.headers['x-hubspot-request-timestamp'];
  const fault = timestampFault(timestamp, request.receivedAtMs);
  if (timestamp === undefined || fault !== null) return refuse(fault ?? 'timestamp-missing');
  const signature = request.headers['x-hubspot-signature-v3'];
  if (!signature) return refuse('signature-missing');
  const usable = secrets.filter((secret) => secret !== '');
  if (usable.length === 0) return refuse('secret-missing');
  const matches = usable.filter((secret) => isEqual(sign(request, timestamp, secret), signature));
  return matches.length > 0 ? { ok: true } : refuse('signature-mismatch');
};

const refuse = (code: string): VerifyVerdict => ({ ok: false, code });

/** Strictly digits: HubSpot's own client lets `NaN` and future times through, so this one is ours. */
const timestampFault = (timestamp: string | undefined, receivedAtMs: number): string | null => {
  if (!timestamp) return 'timestamp-missing';
  if (!/^\d{1,15}$/.test(timestamp)) return 'timestamp-malformed';
  const ageMs = receivedAtMs - Number(timestamp);
  if (ageMs > signatureAgeMaxMs) return 'timestamp-stale';
  return ageMs < -signatureAgeMaxMs ? 'timestamp-ahead' : null;
};

const sign = (request: InboundRequest, timestamp: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(request.method.toUpperCase() + signedUri(request.url))
    .update(request.body)
    .update(timestamp)
    .digest('base64');

/** Compared as text: base64 has several spellings of the same bytes, and only one is accepted. */
const isEqual = (expected: string, given: string): boolean => {
  const left = Buffer.from(expected);
  const right = Buffer.from(given);
  return left.length === right.length && timingSafeEqual(left, right);
};
