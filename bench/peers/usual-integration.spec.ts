import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { usualIntegration } from './usual-integration.js';

interface Stored {
  readonly type: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Just enough of a CRM: contacts are unique by address, search is behind, one create is mute. */
async function withCrm(
  options: { readonly searchBehind: boolean; readonly muteCreate?: number },
  story: (baseUrl: string) => Promise<void>,
): Promise<readonly Stored[]> {
  const records: Stored[] = [];
  let creates = 0;
  const server = createServer((request, answer) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const say = (status: number, body: object): void =>
        void answer
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(body));
      const type = /objects\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
      const body = JSON.parse(text);
      if (request.method === 'PUT') return say(200, {});
      if (request.url?.endsWith('/search')) {
        const { propertyName, value } = body.filterGroups[0].filters[0];
        const at = records.findIndex(
          (one) => one.type === type && one.properties[propertyName] === value,
        );
        return say(200, { results: at < 0 || options.searchBehind ? [] : [{ id: String(at) }] });
      }
      const { email } = body.properties;
      const known = records.findIndex(
        (one) => email !== undefined && one.properties['email'] === email,
      );
      if (known >= 0) return say(409, { message: `Contact already exists. Existing ID: ${known}` });
      creates += 1;
      records.push({ type, properties: body.properties });
      if (creates !== options.muteCreate) say(201, { id: String(records.length - 1) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await story(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return records;
}

const meeting = (n: number, email: string) => ({
  id: `evt-${n}`,
  fields: { title: `Call ${n}`, startsAt: '2026-03-02T09:00:00Z', endsAt: '2026-03-02T09:30:00Z' },
  attendees: [{ email, company: { domain: 'example.com' } }],
});
const counted = (records: readonly Stored[], type: string): number =>
  records.filter((record) => record.type === type).length;

test('on a good day it does what it should: one of each, repeats dropped', async () => {
  const records = await withCrm({ searchBehind: false }, async (baseUrl) => {
    const peer = usualIntegration({ baseUrl, accessToken: 'x' });
    for (const n of [1, 1, 2])
      await peer.handle(meeting(n, n === 1 ? 'Ada@example.com' : ' ada@example.com'));
  });
  expect(['contacts', 'companies', 'meetings'].map((type) => counted(records, type))).toEqual([
    1, 1, 2,
  ]);
});

test('search behind: the contact is saved by the 409, the company is not', async () => {
  const records = await withCrm({ searchBehind: true }, async (baseUrl) => {
    const peer = usualIntegration({ baseUrl, accessToken: 'x' });
    await Promise.all([1, 2, 3].map((n) => peer.handle(meeting(n, 'ada@example.com'))));
  });
  expect(counted(records, 'contacts')).toBe(1);
  expect(counted(records, 'companies')).toBe(3);
});

test('a create that is not answered is made again', async () => {
  const records = await withCrm({ searchBehind: true, muteCreate: 3 }, async (baseUrl) => {
    await usualIntegration({ baseUrl, accessToken: 'x', requestDeadlineMs: 100 }).handle(
      meeting(1, 'ada@example.com'),
    );
  });
  expect(counted(records, 'meetings')).toBe(2);
});
