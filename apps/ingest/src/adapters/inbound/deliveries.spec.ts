import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { RunningService } from '@counterpart/platform-service';
import { createLogger } from '@counterpart/platform-telemetry';
import {
  bodyBytesMax,
  crmSecret,
  openDoors,
  publicUrl,
  type Seen,
} from '../../testing/open-doors.js';
import { hubspotHeaders, signedHeaders } from '../../testing/signed.js';

/** The real HTTP server with the real verification; only keeping and counting are remembered. */
let service: RunningService;
let seen: Seen;
beforeAll(() => jest.spyOn(console, 'log').mockImplementation(() => undefined));
beforeEach(async () => {
  ({ service, seen } = await openDoors());
});
afterEach(() => service.close());

const appPath = '/v1/tenants/acme/sources/app/changes';
const bodyOf = (fields: object = { email: 'ada@example.com' }): string =>
  JSON.stringify({
    changes: [
      {
        id: 'evt-1',
        type: 'contact',
        recordId: 'c-1',
        occurredAt: '2026-03-02T09:00:00Z',
        fields,
      },
    ],
  });
/** A good body of exactly so many bytes. */
const bodyOfBytes = (bytes: number): string => bodyOf().padEnd(bytes, ' ');

const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${service.url}${path}`, { method: 'POST', body, headers });
const push = (body: string, path = appPath) => post(path, body, signedHeaders(body));
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;

test('a signed change is kept and has its receipt', async () => {
  const response = await push(bodyOf());
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({
    accepted: 1,
    receipts: [{ id: 'evt-1', eventKey: seen.published[0]?.eventKey }],
  });
  expect(seen.published).toMatchObject([
    { tenantId: 'acme', fields: { email: 'ada@example.com' } },
  ]);
  expect(seen.refused).toEqual([]);
});

test('nothing is answered before the broker has acknowledged', async () => {
  await service.close();
  let acknowledge: () => void = () => undefined;
  ({ service } = await openDoors({
    publish: () => new Promise((resolve) => (acknowledge = () => resolve())),
  }));
  let answered = false;
  const response = push(bodyOf()).finally(() => (answered = true));
  // Another request goes all the way meanwhile, so this one has had its time.
  expect((await post(appPath, 'x', signedHeaders('x'))).status).toBe(400);
  expect(answered).toBe(false);
  acknowledge();
  expect((await response).status).toBe(202);
});

test('what cannot be kept is answered 503 with a time to come back', async () => {
  await service.close();
  ({ service, seen } = await openDoors({ publish: () => Promise.reject(new Error('away')) }));
  const response = await push(bodyOf());
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await codeOf(response)).toBe('not-kept');
  expect(seen.refused).toEqual([{ tenantId: 'acme', sourceId: 'app', code: 'not-kept' }]);
});

test('whoever is not authentic learns nothing: one answer, byte for byte', async () => {
  const body = bodyOf();
  const other = Buffer.from('the secret of another tenant').toString('base64');
  const signed = signedHeaders(body);
  const { 'webhook-signature': _signature, ...unsigned } = signed;
  const attempts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [appPath, { ...signed, 'webhook-signature': 'v1,AAAA' }],
    [appPath, unsigned],
    [appPath, signedHeaders(body, { atMs: Date.now() - 301_000 })],
    [appPath, signedHeaders(body, { atMs: Date.now() + 301_000 })],
    [appPath, signedHeaders(body, { secret: other })],
    ['/v1/tenants/nobody/sources/app/changes', signed],
    ['/v1/tenants/acme/sources/nothing/changes', signed],
    ['/v1/tenants/acme/sources/crm/changes', signed],
    ['/v1/tenants/constructor/sources/__proto__/changes', signed],
    ['/v1/webhooks/nowhere', hubspotHeaders(`${publicUrl}/v1/webhooks/nowhere`, body, crmSecret)],
    ['/v1/webhooks/acme-crm', hubspotHeaders(`${publicUrl}/v1/webhooks/acme-crm`, body, 'wrong')],
    [
      '/v1/webhooks/acme-crm',
      hubspotHeaders(`${service.url}/v1/webhooks/acme-crm`, body, crmSecret),
    ],
  ];
  const answers = new Set<string>();
  for (const [path, headers] of attempts) {
    const response = await post(path, body, headers);
    const { date: _date, ...kept } = Object.fromEntries(response.headers);
    answers.add(JSON.stringify([response.status, kept, await response.text()]));
  }
  expect([...answers]).toHaveLength(1);
  expect([...answers][0]).toContain('401');
  expect(seen.published).toEqual([]);
  expect(seen.refused).toHaveLength(attempts.length);
  expect(seen.refused.filter(({ tenantId }) => tenantId === 'acme')).toHaveLength(7);
});

test.each([
  ['no JSON', '{"changes":[', 'malformed-json'],
  ['NaN', '{"changes":[{"fields":{"a":NaN}}]}', 'malformed-json'],
  ['too deep', `${'['.repeat(60)}${']'.repeat(60)}`, 'too-deep'],
  ['__proto__', '{"changes":[],"__proto__":{"a":1}}', 'forbidden-key'],
  ['not the form', '{"changes":{}}', 'invalid-change'],
  ['a field of the wrong type', bodyOf({ email: 7 }), 'field-type'],
  ['half a surrogate pair', bodyOf({ firstName: '\ud800' }), 'field-text'],
])('%s is 400 with its code, signed as it may be', async (_name, body, code) => {
  const response = await push(body);
  expect([response.status, await codeOf(response)]).toEqual([400, code]);
  expect(seen).toMatchObject({ published: [], refused: [{ tenantId: 'acme', code }] });
});

test('bytes that are no UTF-8 are refused, though their signature is right', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  const headers = signedHeaders(bytes);
  const response = await fetch(`${service.url}${appPath}`, {
    method: 'POST',
    body: bytes,
    headers,
  });
  expect([response.status, await codeOf(response)]).toEqual([400, 'malformed-json']);
});

test('the largest body is taken, one byte more is 413', async () => {
  expect((await push(bodyOfBytes(bodyBytesMax))).status).toBe(202);
  const response = await push(bodyOfBytes(bodyBytesMax + 1));
  expect([response.status, await codeOf(response)]).toEqual([413, 'body-too-large']);
  expect(seen.published).toHaveLength(1);
});

test('a body that is announced too large is refused before a byte of it is sent', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${appPath} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytesMax + 1}\r\n\r\n`,
  );
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (d) => resolve(`${d}`)),
  );
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test('a body that never ends is cut off at the limit', async () => {
  const chunk = Buffer.alloc(4_096, ' ');
  let sent = 0;
  const status = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(`${service.url}${appPath}`, {
      method: 'POST',
      headers: { ...signedHeaders(''), 'transfer-encoding': 'chunked' },
    });
    const more = (): void => {
      sent += chunk.length;
      if (!request.destroyed) request.write(chunk, () => setImmediate(more));
    };
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.once('error', reject);
    more();
  });
  expect(status).toBe(413);
  expect(sent).toBeLessThan(100 * bodyBytesMax);
  expect((await push(bodyOf())).status).toBe(202);
});

test('a webhook reaches the source of its portal; what nobody has is kept whole, once', async () => {
  const event = (portalId: number, propertyValue: string) => ({
    eventId: 1,
    subscriptionId: 1,
    portalId,
    appId: 1,
    occurredAt: 1_700_000_000_000,
    subscriptionType: 'contact.propertyChange',
    attemptNumber: 0,
    objectId: 7,
    changeSource: 'CRM_UI',
    sourceId: 'userId:1',
    propertyName: 'email',
    propertyValue,
  });
  const body = JSON.stringify([event(62515, 'Ada@Example.com'), event(1, 'x@y.z'), 'junk']);
  const path = '/v1/webhooks/acme-crm';
  const response = await post(path, body, hubspotHeaders(publicUrl + path, body, crmSecret));
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ accepted: 1 });
  expect(seen.published).toMatchObject([
    { tenantId: 'acme', sourceId: 'crm', externalId: '7', fields: { email: 'ada@example.com' } },
  ]);
  expect(seen.quarantined).toMatchObject([
    {
      endpoint: 'acme-crm',
      items: [
        { index: 1, code: 'unknown-instance' },
        { index: 2, code: 'not-an-object' },
      ],
    },
  ]);
  expect(Buffer.from(seen.quarantined[0]?.body ?? []).toString()).toBe(body);
});

test('an address of nothing and another method say so in the same form', async () => {
  expect(await codeOf(await post('/v1/nothing', '', {}))).toBe('not-found');
  expect(await codeOf(await fetch(`${service.url}${appPath}`))).toBe('not-found');
});

test('no path, however a request ends, writes a payload or a secret to the log', async () => {
  await service.close();
  const lines: string[] = [];
  const log = createLogger('ingest', {
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const canary = 'canary-7f3a';
  ({ service } = await openDoors(
    {
      publish: () => Promise.reject(new Error(`could not keep "${canary}" of ${canary}@x.org`)),
      doors: () => Promise.reject(new Error(`unexpected '${canary}'`)),
    },
    log,
  ));
  const said = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')].map(
    (spy) => spy.mockImplementation((text) => lines.push(String(text)) > 0),
  );
  for (const body of [bodyOf({ email: `${canary}@x.org` }), `{"${canary}":`, canary])
    await (await push(body)).text();
  said.forEach((spy) => spy.mockRestore());
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toContain(canary);
});
