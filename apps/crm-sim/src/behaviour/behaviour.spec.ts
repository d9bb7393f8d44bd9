import { openPortal, startSim, type DrivenPortal } from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';
import { Portal } from '../portals/portal.js';
import { portalSpecSchema } from '../portals/portal-spec.js';
import { VirtualClock } from '../portals/clock.js';
import { createRecord, updateRecord } from '../objects/write-record.js';
import type { WebhookEvent } from '../webhooks/webhook-event.js';
import { applyTransforms } from './transforms.js';

describe('transforms', () => {
  it.each([
    ['us-phone', '+1 415 555 0100', '(415) 555-0100'],
    ['us-phone', '12', '12'],
    ['e164', '(415) 555-0100', '+4155550100'],
    ['digits', '+1 (2)', '12'],
    ['title', 'ada LOVELACE', 'Ada Lovelace'],
    ['crlf', 'a\nb\r\nc', 'a\r\nb\r\nc'],
    ['html-escape', 'a < b & c', 'a &lt; b &amp; c'],
    ['nfc', 'Zoe\u0308', 'Zo\u00eb'],
  ] as const)('%s', (name, given, expected) =>
    expect(applyTransforms(given, [name])).toBe(expected),
  );
});

/** A portal in virtual time whose webhooks are collected. */
function given(behaviour: Record<string, unknown>, seed = '1') {
  const clock = new VirtualClock(1_700_000_000_000);
  const events: WebhookEvent[] = [];
  const spec = portalSpecSchema.parse({
    accessToken: 't',
    appId: 456,
    clientSecret: 's',
    seed,
    behaviour,
  });
  const portal = new Portal({ ...spec, portalId: 1 }, clock, async (body) => {
    events.push(...(JSON.parse(body) as WebhookEvent[]));
    return true;
  });
  const contacts = portal.type('contacts');
  if (!contacts) throw new Error('no contacts');
  const create = (properties: Record<string, string>) => {
    const made = createRecord(portal, contacts, properties, portal.apiOrigin());
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  };
  return { clock, events, portal, create };
}

describe('chance', () => {
  const story = async (seed: string) => {
    const { clock, events, create } = given(
      { webhookDelayMs: [0, 5_000], webhookShuffle: true },
      seed,
    );
    for (const n of [1, 2, 3, 4]) create({ email: `p${n}@x.com`, firstname: `${n}` });
    await clock.advance(10_000);
    return events.map((event) => [event.eventId, event.objectId, event.propertyName]);
  };

  it('comes from the seed of the portal', async () => {
    expect(await story('a')).toEqual(await story('a'));
    expect(await story('a')).not.toEqual(await story('b'));
  });
});

describe('automations', () => {
  const PHONE = {
    id: '77',
    when: 'write',
    type: 'contacts',
    properties: ['phone'],
    set: { phone: { copy: 'phone', apply: 'us-phone' } },
    afterMs: 500,
  };

  it('edit after our write, under their own name, and come to rest', async () => {
    const { clock, events, create } = given({ automations: [PHONE] });
    const record = create({ phone: '4155550100' });
    await clock.advance(499);
    expect(record.properties.get('phone')).toBe('4155550100');
    await clock.advance(10_000);
    expect(record.properties.get('phone')).toBe('(415) 555-0100');
    const theirs = events.filter((event) => event.changeSource === 'AUTOMATION_PLATFORM');
    expect(theirs).toMatchObject([
      { propertyName: 'phone', sourceId: expect.stringContaining('workflowId:77;') },
    ]);
  });

  it('that feed each other stop after a few steps; those that answer us do so each time', async () => {
    const counter = { when: 'write', type: 'contacts', set: { message: { counter: 'run ' } } };
    const { clock, events, portal, create } = given({ automations: [counter] });
    const record = create({ firstname: 'Ada' });
    await clock.advance(10_000);
    const runs = () =>
      events.filter((event) => event.changeSource === 'AUTOMATION_PLATFORM').length;
    expect(runs()).toBe(5);
    portal.changeBehaviour({
      automations: [{ ...counter, id: '1', when: 'write', after: 'api', afterMs: 0 }],
    });
    updateRecord(portal, record, { firstname: 'Bea' }, portal.apiOrigin());
    await clock.advance(10_000);
    expect(runs()).toBe(6);
    updateRecord(
      portal,
      record,
      { firstname: 'Cleo' },
      { source: 'CRM_UI', sourceId: 'userId:1', userId: 1, depth: 0 },
    );
    await clock.advance(10_000);
    expect(runs()).toBe(6);
  });

  it('leave deleted records and other types alone', async () => {
    const { clock, create } = given({ automations: [PHONE, { ...PHONE, type: 'companies' }] });
    const record = create({ phone: '4155550100' });
    record.archivedAtMs = clock.nowMs();
    await clock.advance(10_000);
    expect(record.properties.get('phone')).toBe('4155550100');
  });
});

describe('behaviour over HTTP', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  /** A simulator in which time stands still. */
  let still: RunningCrmSim | undefined;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim)));
  afterEach(() => still?.close());
  afterAll(() => sim.close());
  const contacts = (email: string, more: object = {}) =>
    portal.api('POST', '/crm/v3/objects/contacts', { properties: { email, ...more } });
  const found = async (email: string) => {
    const filters = [{ propertyName: 'email', operator: 'EQ', value: email }];
    const answer = await portal.api('POST', '/crm/v3/objects/contacts/search', {
      filterGroups: [{ filters }],
    });
    return Number(answer.body['total']);
  };

  it('search lags behind creates and updates; reads do not', async () => {
    const clock = new VirtualClock(1_700_000_000_000);
    still = await startSim(clock);
    portal = await openPortal(still, {}, { indexLagMs: 10_000 });
    const made = await contacts('a@x.com');
    expect(await found('a@x.com')).toBe(0);
    const read = await portal.api('GET', '/crm/v3/objects/contacts/a@x.com?idProperty=email');
    expect(read.status).toBe(200);
    await clock.advance(10_000);
    expect(await found('a@x.com')).toBe(1);
    const id = String(made.body['id']);
    await portal.api('PATCH', `/crm/v3/objects/contacts/${id}`, {
      properties: { email: 'b@x.com' },
    });
    expect([await found('a@x.com'), await found('b@x.com')]).toEqual([1, 0]);
    await clock.advance(10_000);
    expect([await found('a@x.com'), await found('b@x.com')]).toEqual([0, 1]);
  });

  it('cuts and rewrites values silently, and the answer shows what was stored', async () => {
    await portal.control('PATCH', 'behaviour', {
      truncate: { message: 5 },
      reformat: { message: 'crlf', phone: ['us-phone'] },
    });
    const made = await contacts('a@x.com', { message: 'a\nbcdefgh', phone: '4155550100' });
    expect(made.body['properties']).toMatchObject({ message: 'a\r\nbc', phone: '(415) 555-0100' });
  });

  it('a patch leaves what it does not name, single limits included', async () => {
    await portal.control('PATCH', 'behaviour', { rateLimit: { perSecond: 7 }, indexLagMs: 5 });
    const after = await portal.control('PATCH', 'behaviour', { rateLimit: { perDay: 9 } });
    expect(after.body).toMatchObject({
      indexLagMs: 5,
      rateLimit: { perSecond: 7, perDay: 9, searchPerSecond: null, perTenSeconds: null },
    });
  });

  it('creates take their time, other calls theirs', async () => {
    await portal.control('PATCH', 'behaviour', { createLatencyMs: [120, 130] });
    const startMs = performance.now();
    await portal.api('GET', '/crm/v3/objects/contacts');
    const readMs = performance.now() - startMs;
    await contacts('a@x.com');
    const createMs = performance.now() - startMs - readMs;
    expect(createMs).toBeGreaterThan(115);
    const calls = (await portal.control('GET', 'calls?since=1')).body['calls'];
    expect(
      Number(calls?.[0]?.['answeredAtMs']) - Number(calls?.[0]?.['atMs']),
    ).toBeGreaterThanOrEqual(115);
  });

  it('an expired token is refreshed', async () => {
    await portal.control('PATCH', 'behaviour', { tokenExpired: true });
    const expired = await contacts('a@x.com');
    expect([expired.status, expired.body['category']]).toEqual([401, 'EXPIRED_AUTHENTICATION']);
    expect((await portal.control('GET', 'calls')).body['calls']).toMatchObject([
      { kind: 'create', status: 401, committed: false },
    ]);
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: '456',
      client_secret: 'secret',
      refresh_token: `refresh-${portal.portalId}`,
    });
    const answer = await fetch(`${sim.url}/oauth/v1/token`, { method: 'POST', body: form });
    const token = (await answer.json()) as { access_token: string; expires_in: number };
    expect(token.expires_in).toBe(1_800);
    const made = await portal.api(
      'POST',
      '/crm/v3/objects/contacts',
      { properties: {} },
      { headers: { Authorization: `Bearer ${token.access_token}` } },
    );
    expect(made.status).toBe(201);
    const wrong = await fetch(`${sim.url}/oauth/v1/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(form), client_secret: 'x' }),
    });
    expect(wrong.status).toBe(400);
  });
});
