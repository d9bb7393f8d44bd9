import { openPortal, startSim, type DrivenPortal, type Json } from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

describe('control API', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim)));
  afterAll(() => sim.close());
  const api = (token: string) =>
    fetch(`${sim.url}/crm/v3/objects/contacts`, { headers: { Authorization: `Bearer ${token}` } });
  const open = (body: object) =>
    fetch(`${sim.url}/_sim/portals`, { method: 'POST', body: JSON.stringify(body) });

  it('answers when it is ready', async () => {
    expect((await fetch(`${sim.url}/health/ready`)).status).toBe(200);
  });

  it('keeps portals apart and forgets a deleted one', async () => {
    const other = await openPortal(sim);
    await portal.api('POST', '/crm/v3/objects/contacts', { properties: { email: 'a@x.com' } });
    expect(
      (await other.api('POST', '/crm/v3/objects/contacts', { properties: { email: 'a@x.com' } }))
        .status,
    ).toBe(201);
    expect((await api('nobody')).status).toBe(401);
    expect(
      (await fetch(`${sim.url}/_sim/portals/${portal.portalId}`, { method: 'DELETE' })).status,
    ).toBe(204);
    expect((await api(portal.token)).status).toBe(401);
    expect((await portal.control('GET', 'counts')).body).toMatchObject({
      error: { code: 'unknown-portal' },
    });
  });

  it('takes a portal id as text or number and refuses a taken one', async () => {
    const spec = { portalId: '4711', accessToken: 'own-1', appId: '1', clientSecret: 's' };
    expect(await (await open(spec)).json()).toEqual({ portalId: 4711 });
    const again = await open({ ...spec, accessToken: 'own-2' });
    expect([again.status, await again.json()]).toMatchObject([409, { error: { code: 'taken' } }]);
    expect((await open({ ...spec, portalId: 4712 })).status).toBe(409);
  });

  it('refuses a portal with everything that is wrong with it', async () => {
    const answer = await open({
      accessToken: '',
      appId: 'x',
      webhookUrl: 'ftp://x',
      behaviour: { indexLagMs: -1, moods: 1 },
    });
    const { error } = (await answer.json()) as {
      error: { code: string; details: { path: string }[] };
    };
    expect(answer.status).toBe(400);
    expect(error.code).toBe('invalid-input');
    expect(error.details.map((detail) => detail.path).sort()).toEqual([
      'accessToken',
      'appId',
      'behaviour',
      'behaviour.indexLagMs',
      'clientSecret',
      'webhookUrl',
    ]);
  });

  it.each([
    ['POST', 'faults', { fault: { type: 'nonsense' } }, 400, 'invalid-input'],
    ['POST', 'faults', '{"fault":', 400, 'malformed-json'],
    ['PATCH', 'behaviour', { createLatencyMs: [9, 1] }, 400, 'invalid-input'],
    [
      'PATCH',
      'behaviour',
      { automations: [{ when: 'never', type: 'contacts', set: {} }] },
      400,
      'invalid-input',
    ],
    ['PATCH', 'behaviour', { reformat: { phone: 'sing' } }, 400, 'invalid-input'],
    ['POST', 'human', { action: 'update', type: 'contacts' }, 400, 'refused'],
    ['POST', 'human', { action: 'update', type: 'contacts', id: '1' }, 404, 'not-found'],
    ['POST', 'human', { action: 'create', type: 'ghosts' }, 404, 'unknown-type'],
    [
      'POST',
      'human',
      { action: 'create', type: 'contacts', properties: { nonsense: '1' } },
      400,
      'refused',
    ],
    ['POST', 'webhooks', { action: 'burn' }, 400, 'invalid-input'],
    ['GET', 'records/ghosts', undefined, 404, 'unknown-type'],
    ['GET', 'calls?since=yesterday', undefined, 400, 'invalid-input'],
    ['DELETE', 'faults/fault-99', undefined, 404, 'unknown-fault'],
    ['POST', 'dance', {}, 404, 'unknown-call'],
  ])('%s %s %j is %d %s', async (method, path, body, status, code) => {
    const answer = await portal.control(method, path, body);
    expect([answer.status, answer.body['error']?.['code']]).toEqual([status, code]);
  });

  it('a human may mean a record by its values, but only one', async () => {
    const human = (body: object) => portal.control('POST', 'human', { type: 'companies', ...body });
    await human({ action: 'create', properties: { name: 'Acme', domain: 'acme.com' } });
    const twin = await human({
      action: 'create',
      properties: { name: 'Acme', domain: 'ACME.com' },
    });
    expect(twin.body).toMatchObject({ error: { code: 'conflict' } });
    await human({
      action: 'create',
      properties: { name: 'Acme', domain: 'acme.com' },
      force: true,
    });
    const vague = await human({ action: 'delete', where: { domain: 'acme.com' } });
    expect(vague.body).toMatchObject({
      error: { code: 'refused', message: expect.stringMatching('More than one') },
    });
  });

  it('a human links two records by kind, and undoes it', async () => {
    const human = (body: object) => portal.control('POST', 'human', { type: 'contacts', ...body });
    await human({ action: 'create', properties: { email: 'a@x.com' } });
    await human({ action: 'create', type: 'companies', properties: { name: 'Acme' } });
    const ends = {
      where: { email: 'a@x.com' },
      intoType: 'companies',
      intoWhere: { name: 'Acme' },
    };
    const links = async () =>
      (await portal.control('GET', 'records/contacts')).body['results']?.[0]?.['associations'];
    expect((await human({ action: 'associate', ...ends, associationTypeId: 200 })).status).toBe(
      400,
    );
    await human({ action: 'associate', ...ends, associationTypeId: 1 });
    expect(await links()).toMatchObject({ companies: [{ typeIds: [279, 1] }] });
    await human({ action: 'disassociate', ...ends, associationTypeId: 1 });
    expect(await links()).toMatchObject({ companies: [{ typeIds: [279] }] });
    await human({ action: 'disassociate', ...ends });
    expect(await links()).toEqual({});
  });

  it('pages through lists and searches', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await portal.api('POST', '/crm/v3/objects/contacts', { properties: { lastname: `${n}` } });
    const first = await portal.api('GET', '/crm/v3/objects/contacts?limit=3');
    const after = String(first.body['paging']?.['next']?.['after']);
    const second = await portal.api('GET', `/crm/v3/objects/contacts?limit=3&after=${after}`);
    const lastNames = (body: Json) =>
      (body['results'] as unknown as Json[]).map(
        (one) => one['properties']?.['lastname'] as unknown,
      );
    expect([...lastNames(first.body), ...lastNames(second.body)]).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(second.body).not.toHaveProperty('paging');
    const search = { sorts: ['-lastname'], limit: 2, after: '2', properties: ['lastname'] };
    const found = await portal.api('POST', '/crm/v3/objects/contacts/search', search);
    expect(lastNames(found.body)).toEqual(['3', '2']);
    expect(found.body).toMatchObject({ total: 5, paging: { next: { after: '4' } } });
  });

  it('shows behaviour, records with their links, counts and numbered calls', async () => {
    const person = await portal.api('POST', '/crm/v3/objects/contacts', {
      properties: { email: 'a@x.com' },
    });
    const company = await portal.control('POST', 'human', {
      action: 'create',
      type: 'companies',
      properties: { name: 'Acme' },
    });
    await portal.control('POST', 'human', {
      action: 'associate',
      type: 'contacts',
      id: person.body['id'],
      intoType: 'companies',
      intoWhere: { name: 'Acme' },
    });
    expect((await portal.control('GET', 'behaviour')).body).toMatchObject({
      webhooks: 'deliver',
      indexLagMs: 0,
    });
    expect((await portal.control('GET', 'records/contacts')).body['results']).toMatchObject([
      {
        properties: { email: 'a@x.com' },
        createdBy: { source: 'INTEGRATION', sourceId: '456' },
        associations: { companies: [{ id: company.body['id'], typeIds: [279, 1] }] },
      },
    ]);
    expect((await portal.control('GET', 'counts')).body).toEqual({
      calls: { create: 1, total: 1 },
      records: { contacts: 1, companies: 1 },
    });
    expect((await portal.control('GET', 'calls?since=1')).body['calls']).toEqual([]);
  });
});

describe('malformed API calls', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  beforeAll(async () => {
    sim = await startSim();
    portal = await openPortal(sim);
  });
  afterAll(() => sim.close());

  it.each([
    ['POST', '/crm/v3/objects/contacts', '{"properties":', 400],
    ['POST', '/crm/v3/objects/contacts', '[]', 400],
    ['POST', '/crm/v3/objects/contacts', '{"properties":[]}', 400],
    ['POST', '/crm/v3/objects/contacts', '{"properties":{"__proto__":"x"}}', 400],
    ['POST', '/crm/v3/objects/contacts', '{"properties":{"constructor":"x"}}', 400],
    ['POST', '/crm/v3/objects/contacts', '{"properties":{"createdate":"1"}}', 400],
    ['POST', '/crm/v3/objects/unicorns', '{"properties":{}}', 400],
    ['PUT', '/crm/v3/objects/contacts', '{}', 405],
    ['GET', '/crm/v3/nothing', undefined, 404],
    ['GET', '/crm/v3/objects/contacts?limit=101', undefined, 400],
    ['GET', '/crm/v3/objects/contacts/%E0%A4%A', undefined, 404],
    [
      'POST',
      '/crm/v3/properties/contacts',
      '{"name":"constructor","label":"x","type":"string","fieldType":"text","groupName":"contactinformation"}',
      400,
    ],
  ])('%s %s %s is %d', async (method, path, body, status) => {
    const answer = await portal.api(method, path, body);
    expect(answer.status).toBe(status);
  });

  it('another content type is 415, a giant body 413, no token 401', async () => {
    const url = `${sim.url}/crm/v3/objects/contacts`;
    const headers = { Authorization: `Bearer ${portal.token}`, 'Content-Type': 'text/plain' };
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    const giant = 'x'.repeat(10 * 1024 * 1024 + 1);
    const sent = await fetch(url, { method: 'POST', headers, body: giant }).then(
      (a) => a.status,
      () => 'broken',
    );
    expect([413, 'broken']).toContain(sent);
    expect((await fetch(url)).status).toBe(401);
  });
});
