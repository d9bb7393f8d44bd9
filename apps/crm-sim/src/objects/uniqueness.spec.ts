import { openPortal, startSim, type DrivenPortal } from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

const CONTACTS = '/crm/v3/objects/contacts';
const COMPANIES = '/crm/v3/objects/companies';
const KEY = {
  name: 'our_key',
  label: 'Key',
  type: 'string',
  fieldType: 'text',
  groupName: 'companyinformation',
  hasUniqueValue: true,
};

describe('unique values', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim, {}, { createLatencyMs: [0, 20] })));
  afterAll(() => sim.close());

  const create = (email: string) => portal.api('POST', CONTACTS, { properties: { email } });
  const countOf = async (type: string) =>
    Number((await portal.control('GET', 'counts')).body['records']?.[type] ?? 0);

  it('twenty creates of one address at once make one contact', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(i % 2 ? 'Ada@x.com' : 'ada@X.com ')),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      201,
      ...Array<number>(19).fill(409),
    ]);
    expect(await countOf('contacts')).toBe(1);
  });

  it('twenty companies of one domain at once are twenty companies', async () => {
    const make = () => portal.api('POST', COMPANIES, { properties: { domain: 'acme.com' } });
    const answers = await Promise.all(Array.from({ length: 20 }, make));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(await countOf('companies')).toBe(20);
  });

  it('twenty upserts by our own key at once make one company', async () => {
    expect((await portal.api('POST', '/crm/v3/properties/companies', KEY)).status).toBe(201);
    const upsert = (i: number) =>
      portal.api('POST', `${COMPANIES}/batch/upsert`, {
        inputs: [{ id: 'k-1', idProperty: 'our_key', properties: { name: `v${i}` } }],
      });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => upsert(i)));
    const fresh = answers.filter((answer) => answer.body['results']?.[0]?.['new'] as unknown);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(fresh).toHaveLength(1);
    expect(await countOf('companies')).toBe(1);
  });

  it('a further address of another contact stands in the way and finds its holder', async () => {
    const first = await portal.api('POST', CONTACTS, {
      properties: { email: 'a@x.com', hs_additional_emails: 'B@x.com;c@x.com' },
    });
    const second = await create('b@X.com');
    expect(second.status).toBe(409);
    const third = await portal.api('POST', CONTACTS, {
      properties: { hs_additional_emails: 'd@x.com;A@x.com' },
    });
    expect(third.status).toBe(409);
    expect(String(second.body['message'])).toBe(
      `Contact already exists. Existing ID: ${String(first.body['id'])}`,
    );
    expect((await portal.api('GET', `${CONTACTS}/C@x.com?idProperty=email`)).body['id']).toBe(
      first.body['id'],
    );
    const found = await portal.api('POST', `${CONTACTS}/search`, {
      filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ', value: 'b@x.com' }] }],
    });
    expect(found.body['total']).toBe(0);
  });

  it('an upsert that matches a further address keeps the first one; a plain update swaps them', async () => {
    const made = await portal.api('POST', CONTACTS, {
      properties: { email: 'a@x.com', hs_additional_emails: 'b@x.com' },
    });
    const upserted = await portal.api('POST', `${CONTACTS}/batch/upsert`, {
      inputs: [
        { id: 'b@x.com', idProperty: 'email', properties: { email: 'b@x.com', firstname: 'Ada' } },
      ],
    });
    expect(upserted.body['results']?.[0]).toMatchObject({
      id: made.body['id'],
      new: false,
      properties: { email: 'a@x.com' },
    });
    const id = String(made.body['id']);
    await portal.api('PATCH', `${CONTACTS}/${id}`, { properties: { email: 'b@x.com' } });
    const read = await portal.api('GET', `${CONTACTS}/${id}?properties=email,hs_additional_emails`);
    expect(read.body['properties']).toMatchObject({
      email: 'b@x.com',
      hs_additional_emails: 'a@x.com',
    });
  });

  it('a taken custom value is a 400 that does not name its holder', async () => {
    await portal.api('POST', '/crm/v3/properties/companies', KEY);
    const make = () => portal.api('POST', COMPANIES, { properties: { our_key: 'k-1' } });
    const first = await make();
    const second = await make();
    expect([first.status, second.status]).toEqual([201, 400]);
    expect(second.body).toMatchObject({
      category: 'VALIDATION_ERROR',
      errors: [{ code: 'CONFLICTING_UNIQUE_VALUE' }],
    });
    expect(JSON.stringify(second.body)).not.toContain(first.body['id']);
    expect((await portal.api('GET', `${COMPANIES}/k-1?idProperty=our_key`)).body['id']).toBe(
      first.body['id'],
    );
  });

  it('a portal that forbids unique properties says so and takes plain ones', async () => {
    const strict = await openPortal(sim, { uniqueProperties: 'forbidden' });
    const refused = await strict.api('POST', '/crm/v3/properties/companies', KEY);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      category: 'MISSING_SCOPES',
      errors: [{ context: { requiredGranularScopes: ['crm.schemas.companies.write'] } }],
    });
    expect(
      (await strict.api('POST', '/crm/v3/properties/companies', { ...KEY, hasUniqueValue: false }))
        .status,
    ).toBe(201);
    const upsert = { inputs: [{ id: 'k', idProperty: 'our_key', properties: {} }] };
    expect((await strict.api('POST', `${COMPANIES}/batch/upsert`, upsert)).body['message']).toMatch(
      'non-unique',
    );
  });

  it('properties: taken name 409, eleventh unique one and unknown group 400', async () => {
    const add = (more: object) =>
      portal.api('POST', '/crm/v3/properties/companies', { ...KEY, ...more });
    for (let i = 0; i < 10; i++) expect((await add({ name: `key_${i}` })).status).toBe(201);
    expect((await add({ name: 'key_3' })).status).toBe(409);
    expect((await add({ name: 'key_10' })).status).toBe(400);
    expect((await add({ name: 'plain', hasUniqueValue: false, groupName: 'nowhere' })).status).toBe(
      400,
    );
  });

  it('an address in the recycle bin is free, unless the portal holds on to it', async () => {
    const first = await create('a@x.com');
    await portal.api('DELETE', `${CONTACTS}/${String(first.body['id'])}`);
    const second = await create('a@x.com');
    expect(second.status).toBe(201);
    const restored = await portal.control('POST', 'human', {
      action: 'restore',
      type: 'contacts',
      id: first.body['id'],
    });
    expect(restored.body).toMatchObject({ error: { code: 'conflict' } });
    await portal.control('PATCH', 'behaviour', { archivedHoldsUnique: true });
    await portal.api('DELETE', `${CONTACTS}/${String(second.body['id'])}`);
    expect((await create('a@x.com')).body['message']).toMatch(String(second.body['id']));
  });
});
