import { createHash, createHmac } from 'node:crypto';

/** The only escapes HubSpot undoes in the address before it signs. */
const DECODED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

/** The address as it goes into the signature. */
export const signedUri = (uri: string): string =>
  uri.replace(/%[0-9A-Fa-f]{2}/g, (escape) => DECODED[escape.toUpperCase()] ?? escape);

/** What the v3 signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** The full URL as called: scheme, host, path and query. */
  readonly uri: string;
  readonly body: string;
  readonly timestampMs: number;
}

/** `X-HubSpot-Signature-v3`: base64 HMAC-SHA256 over method + address + body + timestamp. */
export const signatureV3 = (secret: string, request: SignedRequest): string =>
  createHmac('sha256', secret)
    .update(
      `${request.method}${signedUri(request.uri)}${request.body}${request.timestampMs}`,
      'utf8',
    )
    .digest('base64');

/** `X-HubSpot-Signature` in version 1: hex SHA-256 over secret + body. CRM webhooks still carry it. */
export const signatureV1 = (secret: string, body: string): string =>
  createHash('sha256')
    .update(secret + body, 'utf8')
    .digest('hex');
