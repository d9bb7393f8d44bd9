import { createHmac } from 'node:crypto';
import { Signature } from '@hubspot/api-client/lib/src/utils/signature.js';
import { signatureV1, signatureV3, signedUri } from './signature.js';

const SECRET = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
const REQUEST = {
  method: 'POST',
  uri: 'https://www.example.com/webhook_uri',
  body: "{'example_field':'example_value'}",
};

/** The published vectors come from the test files of HubSpot's own client libraries (Apache-2.0). */
describe('signatureV3', () => {
  it.each([
    [1693657560000, 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y='],
    [1700000300000, 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw='],
  ])('gives the published signature at %d', (timestampMs, expected) => {
    expect(signatureV3(SECRET, { ...REQUEST, timestampMs })).toBe(expected);
  });

  it('agrees with the official client', () => {
    const request = {
      ...REQUEST,
      body: '[{"eventId":1,"propertyValue":"Zoë 😀"}]',
      timestampMs: 1_760_000_000_000,
    };
    const theirs = Signature.getSignature('POST', 'v3', {
      clientSecret: SECRET,
      requestBody: request.body,
      signature: '',
      url: request.uri,
      timestamp: request.timestampMs,
    });
    expect(signatureV3(SECRET, request)).toBe(theirs);
  });

  it('signs the address with the listed escapes undone', () => {
    const escaped = 'https://a.example/x%2Fy?tag=a%2Cb%26c%20d%3F';
    const plain = 'https://a.example/x/y?tag=a,b%26c%20d?';
    const byHand = createHmac('sha256', SECRET).update(`POST${plain}[]5`).digest('base64');
    expect(signatureV3(SECRET, { method: 'POST', uri: escaped, body: '[]', timestampMs: 5 })).toBe(
      byHand,
    );
  });
});

describe('signedUri', () => {
  it.each([
    ['%3A%2F%3F%40%21%24%27%28%29%2A%2C%3B', ":/?@!$'()*,;"],
    ['%3a%2f', ':/'],
    ['a%20b%26c%3Dd%25', 'a%20b%26c%3Dd%25'],
  ])('%s', (given, expected) => expect(signedUri(given)).toBe(expected));
});

describe('signatureV1', () => {
  it('is the plain hash the official client computes', () => {
    const theirs = Signature.getSignature('POST', 'v1', {
      clientSecret: SECRET,
      requestBody: '[]',
      signature: '',
    });
    expect(signatureV1(SECRET, '[]')).toBe(theirs);
  });
});
