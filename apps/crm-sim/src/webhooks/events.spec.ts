import { signatureV3 } from './signature.js';
import {
  openPortal,
  receiveWebhooks,
  startSim,
  until,
  type DrivenPortal,
  type Json,
  type WebhookReceiver,
} from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

const CONTACTS = '/crm/v3/objects/contacts';

describe('webhook events', () => {
  let sim: RunningCrmSim;
  let app: WebhookReceiver;
  let portal: DrivenPortal;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => {
    app = await receiveWebhooks();
    portal = await openPortal(sim, { webhookUrl: app.url });
  });
  afterEach(() => app.close());
  afterAll(() => sim.close());

  const human = async (action: Record<string, unknown>): Promise<string> =>
    String((await portal.control('POST', 'human', action)).body['id']);
  const settled = () =>
    until(async () => {
      const { pending } = (await portal.control('GET', 'webhooks')).body as unknown as {
        pending: number;
      };
      return pending === 0;
    });
  /** What has arrived since the last look, by subscription type and property. */
  const arrived = async (): Promise<Json[]> => {
    await settled();
    return app.deliveries.splice(0).flatMap((delivery) => delivery.events);
  };
  const kinds = (events: readonly Json[]) =>
    events
      .map((event) => [event['subscriptionType'], event['propertyName']].filter(Boolean).join(' '))
      .sort();

  it('a write of ours bears our mark; each property is an event of its own', async () => {
    const made = await portal.api('POST', CONTACTS, {
      properties: { email: 'a@x.com', firstname: 'Ada' },
    });
    const events = await arrived();
    expect(kinds(events)).toEqual([
      'contact.creation',
      'contact.propertyChange email',
      'contact.propertyChange firstname',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        portalId: portal.portalId,
        appId: 456,
        objectId: Number(made.body['id']),
        attemptNumber: 0,
        changeSource: 'INTEGRATION',
        sourceId: '456',
        eventId: expect.any(Number),
        subscriptionId: expect.any(Number),
        occurredAt: expect.any(Number),
      });
      expect(event).not.toHaveProperty('objectTypeId');
    }
    expect(
      events.find((event) => (event['propertyName'] as unknown) === 'firstname'),
    ).toMatchObject({ propertyValue: 'Ada' });
  });

  it('is signed over the raw body and the address with its escapes undone', async () => {
    await human({ action: 'create', type: 'contacts', properties: { firstname: 'Zoë' } });
    await settled();
    const [delivery] = app.deliveries;
    if (!delivery) throw new Error('nothing arrived');
    const { headers, body } = delivery;
    const timestampMs = Number(headers['x-hubspot-request-timestamp']);
    const signed = signatureV3('secret', {
      method: 'POST',
      uri: app.url.replace('%2C', ','),
      body,
      timestampMs,
    });
    expect(headers['x-hubspot-signature-v3']).toBe(signed);
    expect(Math.abs(Date.now() - timestampMs)).toBeLessThan(60_000);
    expect(headers['x-hubspot-signature-version']).toBe('v1');
  });

  it('a human edit bears the human mark, a clear is empty, a repeat is silent', async () => {
    const id = await human({
      action: 'create',
      type: 'contacts',
      properties: { email: 'a@x.com', phone: '1' },
    });
    await arrived();
    await human({
      action: 'update',
      type: 'contacts',
      where: { email: 'A@x.com' },
      properties: { phone: '' },
      userId: 7,
    });
    expect(await arrived()).toMatchObject([
      {
        subscriptionType: 'contact.propertyChange',
        propertyName: 'phone',
        propertyValue: '',
        changeSource: 'CRM_UI',
        sourceId: 'userId:7',
      },
    ]);
    const before = (await portal.api('GET', `${CONTACTS}/${id}`)).body['updatedAt'];
    await portal.api('PATCH', `${CONTACTS}/${id}`, { properties: { phone: '' } });
    expect(await arrived()).toEqual([]);
    expect((await portal.api('GET', `${CONTACTS}/${id}`)).body['updatedAt']).toBe(before);
  });

  it('deletion, restore and privacy deletion', async () => {
    const id = await human({
      action: 'create',
      type: 'contacts',
      properties: { email: 'a@x.com' },
    });
    await arrived();
    await human({ action: 'delete', type: 'contacts', id });
    await human({ action: 'restore', type: 'contacts', where: { email: 'a@x.com' } });
    expect(kinds(await arrived())).toEqual(['contact.deletion', 'contact.restore']);
    await human({ action: 'privacy-delete', type: 'contacts', id });
    expect(kinds(await arrived())).toEqual(['contact.deletion', 'contact.privacyDeletion']);
    expect((await portal.api('GET', `${CONTACTS}/${id}?archived=true`)).status).toBe(404);
  });

  it('a merge tells three ids and the deletion of what went', async () => {
    const a = await human({
      action: 'create',
      type: 'contacts',
      properties: { email: 'a@x.com', firstname: 'Ada' },
    });
    const b = await human({
      action: 'create',
      type: 'contacts',
      properties: { email: 'b@x.com', phone: '1' },
    });
    await arrived();
    const merged = await human({ action: 'merge', type: 'contacts', id: b, intoId: a });
    const events = await arrived();
    expect(kinds(events)).toEqual(['contact.deletion', 'contact.deletion', 'contact.merge']);
    expect(
      events.find((event) => (event['subscriptionType'] as unknown) === 'contact.merge'),
    ).toMatchObject({
      primaryObjectId: Number(a),
      mergedObjectIds: [Number(b)],
      newObjectId: Number(merged),
      numberOfPropertiesMoved: 1,
    });
  });

  it('a link is told from both sides, in the form its types call for', async () => {
    const person = await human({
      action: 'create',
      type: 'contacts',
      properties: { email: 'a@x.com' },
    });
    const company = await human({
      action: 'create',
      type: 'companies',
      properties: { name: 'Acme' },
    });
    const meeting = await portal.api('POST', '/crm/v3/objects/meetings', {
      properties: { hs_timestamp: '1735787045000' },
    });
    const meetingId = String(meeting.body['id']);
    const created = await arrived();
    expect(
      created.find((event) => (event['subscriptionType'] as unknown) === 'object.creation'),
    ).toMatchObject({ objectTypeId: '0-47' });
    expect(
      created.find((event) => (event['propertyName'] as unknown) === 'hs_timestamp'),
    ).toMatchObject({ propertyValue: '1735787045000' });
    await portal.api(
      'PUT',
      `/crm/v4/objects/contacts/${person}/associations/default/companies/${company}`,
    );
    const links = await arrived();
    expect(kinds(links)).toEqual([
      'company.associationChange',
      'company.associationChange',
      'contact.associationChange',
      'contact.associationChange',
    ]);
    expect(links.filter((event) => event['isPrimaryAssociation'] as unknown)).toHaveLength(2);
    expect(links[0]).toMatchObject({
      associationType: 'CONTACT_TO_COMPANY',
      fromObjectId: Number(person),
      toObjectId: Number(company),
      associationRemoved: false,
    });
    await portal.api(
      'PUT',
      `/crm/v4/objects/meetings/${meetingId}/associations/default/contacts/${person}`,
    );
    expect(await arrived()).toMatchObject([
      {
        subscriptionType: 'object.associationChange',
        fromObjectTypeId: '0-47',
        toObjectTypeId: '0-1',
        associationTypeId: 200,
      },
      {
        subscriptionType: 'object.associationChange',
        fromObjectTypeId: '0-1',
        toObjectTypeId: '0-47',
        associationTypeId: 199,
      },
    ]);
    await portal.api(
      'PUT',
      `/crm/v4/objects/meetings/${meetingId}/associations/default/contacts/${person}`,
    );
    expect(await arrived()).toEqual([]);
  });

  it('a refused and a slow delivery come again with a higher attempt number', async () => {
    await app.close();
    app = await receiveWebhooks((nth) =>
      nth === 2 ? null : nth === 1 ? 400 : nth === 3 ? 302 : 200,
    );
    const behaviour = { webhookTimeFactor: 0.0001, webhookTimeoutMs: 1_000 };
    const other = await openPortal(sim, { webhookUrl: app.url }, behaviour);
    await other.control('POST', 'human', {
      action: 'create',
      type: 'companies',
      properties: { name: 'Acme' },
    });
    await until(
      async () => Number((await other.control('GET', 'webhooks')).body['delivered'] ?? 0) === 2,
    );
    const attempts = app.deliveries.map((delivery) =>
      Number(delivery.events[0]?.['attemptNumber'] ?? -1),
    );
    expect(attempts).toEqual([0, 1, 2, 3]);
  });

  it('an event id is no identity: some come twice', async () => {
    for (let i = 0; i < 60; i++)
      await human({ action: 'create', type: 'companies', properties: { name: `c${i}` } });
    const ids = (await arrived()).map((event) => Number(event['eventId']));
    expect(new Set(ids).size).toBeLessThan(ids.length);
  });
});
