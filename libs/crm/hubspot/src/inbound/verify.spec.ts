import { createHmac } from 'node:crypto';
import type { InboundRequest } from '@counterpart/crm-port';
import { signedUri, verifySignature } from './verify.js';

/** Vectors of HubSpot's own client libraries (Apache-2.0 test files). */
const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
const vectors = [
  { timestamp: '1693657560000', signature: 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y=' },
  { timestamp: '1700000300000', signature: 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw=' },
];

const request = (changes: Partial<InboundRequest> = {}, index = 0): InboundRequest => {
  const vector = vectors[index];
  return {
    method: 'POST',
    url: 'https://www.example.com/webhook_uri',
    headers: {
      'x-hubspot-request-timestamp': vector?.timestamp,
      'x-hubspot-signature-v3': vector?.signature,
    },
    body: Buffer.from("{'example_field':'example_value'}"),
    receivedAtMs: Number(vector?.timestamp),
    ...changes,
  };
};

const header = (name: string, value: string | undefined) =>
  request({ headers: { ...request().headers, [name]: value } });

describe('verifySignature', () => {
  it.each([0, 1])('accepts published vector %i', (index) => {
    expect(verifySignature(request({}, index), [secret])).toEqual({ ok: true });
  });

  it.each([
    ['exactly five minutes old', 300_000, { ok: true }],
    ['a millisecond older', 300_001, { ok: false, code: 'timestamp-stale' }],
    ['exactly five minutes ahead', -300_000, { ok: true }],
    ['a millisecond further ahead', -300_001, { ok: false, code: 'timestamp-ahead' }],
  ])('%s', (_name, ageMs, verdict) => {
    const receivedAtMs = 1693657560000 + ageMs;
    expect(verifySignature(request({ receivedAtMs }), [secret])).toEqual(verdict);
  });

  it.each([
    ['none', undefined, 'timestamp-missing'],
    ['empty', '', 'timestamp-missing'],
    ['not a number', 'NaN', 'timestamp-malformed'],
    ['a fraction', '1693657560000.0', 'timestamp-malformed'],
    ['an exponent', '1.69e12', 'timestamp-malformed'],
    ['a sign', '-1693657560000', 'timestamp-malformed'],
    ['surrounded by blanks', ' 1693657560000', 'timestamp-malformed'],
    ['twice', '1693657560000, 1693657560000', 'timestamp-malformed'],
    ['in seconds', '1693657560', 'timestamp-stale'],
  ])('refuses a timestamp that is %s', (_name, value, code) => {
    const verdict = verifySignature(header('x-hubspot-request-timestamp', value), [secret]);
    expect(verdict).toEqual({ ok: false, code });
  });

  it.each([
    ['none', undefined, 'signature-missing'],
    ['another', vectors[1]?.signature, 'signature-mismatch'],
    ['without padding', vectors[0]?.signature.slice(0, -1), 'signature-mismatch'],
    ['twice', `${vectors[0]?.signature}, ${vectors[0]?.signature}`, 'signature-mismatch'],
    ['of non-ASCII letters', 'é'.repeat(44), 'signature-mismatch'],
    [
      'another base64 spelling of the same bytes',
      'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Z=',
      'signature-mismatch',
    ],
  ])('refuses a signature that is %s', (_name, value, code) => {
    const verdict = verifySignature(header('x-hubspot-signature-v3', value), [secret]);
    expect(verdict).toEqual({ ok: false, code });
  });

  it.each([
    ['method', { method: 'PUT' }],
    ['URL', { url: 'https://www.example.com/webhook_uri?x=1' }],
    ['body', { body: Buffer.from("{'example_field':'example_valuE'}") }],
  ])('covers the %s', (_name, changes) => {
    expect(verifySignature(request(changes), [secret])).toEqual({
      ok: false,
      code: 'signature-mismatch',
    });
  });

  it('signs raw bytes, also those that are no text', () => {
    const body = Buffer.from([0x5b, 0xff, 0xfe, 0x00, 0x5d]);
    const signature = createHmac('sha256', secret)
      .update('POSThttps://www.example.com/webhook_uri')
      .update(body)
      .update('1693657560000')
      .digest('base64');
    const headers = { ...request().headers, 'x-hubspot-signature-v3': signature };
    expect(verifySignature(request({ body, headers }), [secret])).toEqual({ ok: true });
    const other = Buffer.from([0x5b, 0xff, 0xfd, 0x00, 0x5d]);
    expect(verifySignature(request({ body: other, headers }), [secret]).ok).toBe(false);
  });

  it.each([
    ['the new secret first', ['new', secret], { ok: true }],
    ['the new secret last', [secret, 'new'], { ok: true }],
    ['only the new secret', ['new'], { ok: false, code: 'signature-mismatch' }],
    ['no secret', [], { ok: false, code: 'secret-missing' }],
    ['an empty secret', [''], { ok: false, code: 'secret-missing' }],
  ])('rotation: %s', (_name, secrets, verdict) => {
    expect(verifySignature(request(), secrets)).toEqual(verdict);
  });
});

describe('signedUri', () => {
  it.each([
    ['https://a.example/x%3Ay%2Fz', 'https://a.example/x:y/z'],
    ['https://a.example/p?q=%3f%40%21%24%27%28%29%2a%2c%3b', "https://a.example/p?q=?@!$'()*,;"],
    ['https://a.example/p?q=1', 'https://a.example/p?q=1'],
    ['keeps%20all%26others%3D%25', 'keeps%20all%26others%3D%25'],
    ['once%253A', 'once%253A'],
    ['torn%3', 'torn%3'],
  ])('%s', (url, expected) => {
    expect(signedUri(url)).toBe(expected);
  });
});
