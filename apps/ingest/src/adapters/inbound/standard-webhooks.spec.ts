import { Webhook } from 'standardwebhooks';
import { verifyStandardWebhook } from './standard-webhooks.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const nowMs = 1_614_265_330_000;
const body = new TextEncoder().encode('{"test": 2432232314}');
const headers = (parts: Readonly<Record<string, string | undefined>> = {}) => ({
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ...parts,
});
const verify = (parts: object = {}, secrets = [secret], at = nowMs, bytes = body) =>
  verifyStandardWebhook(
    { headers: headers(parts as Record<string, string>), body: bytes },
    secrets,
    at,
  );

test('the published vector', () => {
  expect(verify()).toBe(true);
});

test('what the official library signs', () => {
  const signature = new Webhook(other).sign('id', new Date(nowMs), 'text');
  const signed = { 'webhook-id': 'id', 'webhook-signature': signature };
  expect(verify(signed, [other], nowMs, new TextEncoder().encode('text'))).toBe(true);
});

test.each([
  ['rotated in: any secret verifies', {}, [other, secret], nowMs, true],
  ['rotated out: the old secret is gone', {}, [other], nowMs, false],
  ['nobody’s secret', {}, [], nowMs, false],
  [
    'one of several signatures',
    { 'webhook-signature': `v1,AAAA ${headers()['webhook-signature']}` },
    [secret],
    nowMs,
    true,
  ],
  ['no signature', { 'webhook-signature': undefined }, [secret], nowMs, false],
  ['a signature of another kind', { 'webhook-signature': 'v1a,g0hM9SsE' }, [secret], nowMs, false],
  ['another id', { 'webhook-id': 'msg_other' }, [secret], nowMs, false],
  ['no id', { 'webhook-id': '' }, [secret], nowMs, false],
  ['300 s old', {}, [secret], nowMs + 300_000, true],
  ['301 s old', {}, [secret], nowMs + 301_000, false],
  ['301 s early', {}, [secret], nowMs - 301_000, false],
  [
    'a timestamp that is not digits only',
    { 'webhook-timestamp': '1614265330abc' },
    [secret],
    nowMs,
    false,
  ],
])('%s', (_name, parts, secrets, at, expected) => {
  expect(verify(parts, secrets, at)).toBe(expected);
});

test('one flipped bit anywhere in the body is noticed', () => {
  for (let at = 0; at < body.length; at += 1) {
    const flipped = Uint8Array.from(body);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(verify({}, [secret], nowMs, flipped)).toBe(false);
  }
});
