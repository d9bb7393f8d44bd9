import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VerifyApp } from '../../application/ports.js';

/** Requests further from our clock than this, either way, are not taken. */
const toleranceMs = 300_000;
const secretPrefix = 'whsec_';
const idCharsMax = 256;
const keysMin = 2;
const nobody = Buffer.from('nobody');

/**
 * Verifies a request signed as Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, any
 * `v1` signature of the header against any secret, so that both sides can rotate. A sender nobody
 * knows costs as much as one in the middle of a rotation, so that time tells nothing of tenants.
 */
export const verifyStandardWebhook: VerifyApp = ({ headers, body }, secrets, nowMs) => {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const signatures = (headers['webhook-signature'] ?? '').split(' ').slice(0, 8);
  const isTimely =
    /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - nowMs) <= toleranceMs;
  const isNamed = id.length > 0 && id.length <= idCharsMax;
  const keys = [...secrets.map(keyOf), nobody, nobody].slice(0, Math.max(secrets.length, keysMin));
  let matches = 0;
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    for (const signature of signatures) if (isEqual(signature, expected)) matches += 1;
  }
  return matches > 0 && secrets.length > 0 && isTimely && isNamed;
};

const keyOf = (secret: string): Buffer =>
  Buffer.from(
    secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret,
    'base64',
  );

const isEqual = (signature: string, expected: Buffer): boolean => {
  if (!signature.startsWith('v1,')) return false;
  const given = Buffer.from(signature.slice(3), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
};
