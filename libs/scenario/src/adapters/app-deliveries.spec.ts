import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { deliver } from './app-deliveries.js';
import type { AppDoor } from './app-deliveries.js';
import type { SignatureKind } from '../format/steps.js';

const key = (text: string): string => Buffer.from(text.padEnd(24, '.')).toString('base64');
const request = { deliveryId: 'msg_1', atMs: 0, body: '{"changes":[]}', changes: [] };

/** A door that judges by the reference implementation of Standard Webhooks. */
async function judged(signature: SignatureKind): Promise<number> {
  const server = createServer((incoming, answer) => {
    let body = '';
    incoming.on('data', (part: Buffer) => (body += part.toString()));
    incoming.on('end', () => {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
      try {
        new Webhook(key('own')).verify(body, headers);
        answer.writeHead(202).end('{"receipts":[{"id":"a","eventKey":"k"}]}');
      } catch {
        answer.writeHead(401).end('{"error":{"code":"signature"}}');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const door: AppDoor = {
    ingestUrl: `http://127.0.0.1:${port}`,
    tenantId: 't',
    sourceId: 'app',
    secret: key('own'),
    retiredSecret: key('old'),
    foreignSecret: key('foreign'),
  };
  const answer = await deliver(door, request, signature);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  if (answer.status === 202) expect(answer.accepted).toEqual([{ changeId: 'a', eventKey: 'k' }]);
  else expect(answer.code).toBe('signature');
  return answer.status;
}

test.each<[SignatureKind, number]>([
  ['valid', 202],
  ['missing', 401],
  ['wrong', 401],
  ['stale', 401],
  ['other-tenant', 401],
  ['retired', 401],
])(
  'a signature that is %s is answered %d by the reference implementation',
  async (kind, status) => {
    expect(await judged(kind)).toBe(status);
  },
);

test('nobody at home is an answer, not an exception', async () => {
  const door = { ingestUrl: 'http://127.0.0.1:1', tenantId: 't', sourceId: 'app' };
  const secrets = { secret: key('a'), retiredSecret: key('b'), foreignSecret: key('c') };
  expect(await deliver({ ...door, ...secrets }, request, 'valid')).toMatchObject({ status: 0 });
});
