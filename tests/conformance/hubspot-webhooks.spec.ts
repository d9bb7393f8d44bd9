import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCrmSim, type RunningCrmSim } from '@counterpart/crm-sim';
import type { InboundRequest, RawChange } from '@counterpart/crm-port';
import { inboundFor } from '@counterpart/crm-registry';
import { asSourceId, asTenantId } from '@counterpart/sync-model';
import { eventually } from '@counterpart/testing';

/** What the simulated HubSpot signs and sends, read by the receiving half of the adapter. */
const inbound = inboundFor('hubspot');
const deliveries: InboundRequest[] = [];
let sim: RunningCrmSim;
let door: Server;
let url: string;
let control: string;

const call = async <Answer = unknown>(
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> => {
  const answer = await fetch(sim.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer webhook-token' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
};
const human = (action: object) =>
  call<{ id: string }>('POST', `${control}/human`, { type: 'contacts', ...action });

beforeAll(async () => {
  sim = await startCrmSim({ host: '127.0.0.1', port: 0 });
  door = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(parts);
      deliveries.push({ method: 'POST', url, headers, body, receivedAtMs: Date.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/v1/webhooks/a%3Ab?c=d%20e`;
  const { portalId } = await call<{ portalId: number }>('POST', '/_sim/portals', {
    portalId: 62515,
    accessToken: 'webhook-token',
    appId: 456,
    clientSecret: 'shared secret é',
    webhookUrl: url,
  });
  control = `/_sim/portals/${portalId}`;
});
afterAll(async () => {
  await sim.close();
  await new Promise((resolve) => door.close(resolve));
});

const source = {
  tenantId: asTenantId('acme'),
  sourceId: asSourceId('crm'),
  instanceId: '62515',
  ownMarker: '456',
  records: [
    {
      recordType: 'contact',
      objectName: 'contacts',
      matchFields: ['email'],
      fields: [
        { field: 'email', property: 'email', fieldType: { type: 'email' } as const },
        { field: 'firstName', property: 'firstname', fieldType: { type: 'text' } as const },
      ],
    },
  ],
};

/** Every change decoded so far; throws when a delivery does not verify or an event is refused. */
const decoded = (): readonly RawChange[] =>
  deliveries.flatMap((delivery) => {
    expect(inbound?.verify(delivery, ['rotated out', 'shared secret é'])).toEqual({ ok: true });
    const result = inbound?.decode(delivery, (id) => (id === '62515' ? source : undefined));
    expect(result?.refused).toEqual([]);
    return result?.changes ?? [];
  });

const expectChange = (expected: object) =>
  eventually(() => expect(decoded()).toContainEqual(expect.objectContaining(expected)));

it('verifies and decodes what the portal sends about writes, people, merges and deletions', async () => {
  const { id } = await call<{ id: string }>('POST', '/crm/v3/objects/contacts', {
    properties: { email: 'Ada@Example.com', firstname: 'Ada' },
  });
  await expectChange({ externalId: id, kind: 'created', shape: 'hint', origin: 'ours' });
  await expectChange({ externalId: id, fields: { email: 'ada@example.com' }, origin: 'ours' });

  await human({ action: 'update', id, properties: { firstname: 'Augusta' } });
  await expectChange({ externalId: id, fields: { firstName: 'Augusta' }, origin: 'others' });
  await human({ action: 'update', id, properties: { firstname: '' } });
  await expectChange({ externalId: id, fields: { firstName: null }, origin: 'others' });

  const twin = await human({ action: 'create', properties: { email: 'twin@example.com' } });
  const survivor = await human({ action: 'merge', id: twin.id, intoId: id });
  await expectChange({
    externalId: survivor.id,
    kind: 'merged',
    merge: { survivorId: survivor.id, loserIds: [id, twin.id] },
  });
  await human({ action: 'delete', id: survivor.id });
  await expectChange({ externalId: survivor.id, kind: 'deleted' });
  await human({ action: 'restore', id: survivor.id });
  await expectChange({ externalId: survivor.id, kind: 'restored', shape: 'hint' });
  await human({ action: 'privacy-delete', id: survivor.id });
  await expectChange({ externalId: survivor.id, kind: 'erased' });
});

it('a delivery sent again has the same identities', async () => {
  const seen = decoded();
  const before = deliveries.length;
  await call('POST', `${control}/webhooks`, { action: 'redeliver-all' });
  await eventually(() => expect(decoded().length).toBeGreaterThanOrEqual(2 * seen.length));
  expect(deliveries.length).toBeGreaterThan(before);
  const identities = (changes: readonly RawChange[]) =>
    new Set(changes.map((change) => change.identity));
  expect(identities(decoded())).toEqual(identities(seen));
});
