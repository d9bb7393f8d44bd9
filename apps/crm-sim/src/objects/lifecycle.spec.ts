import { openPortal, startSim, type DrivenPortal, type Json } from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

const CONTACTS = '/crm/v3/objects/contacts';

describe('merge, delete, restore, links', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim)));
  afterAll(() => sim.close());

  const make = async (type: string, properties: Record<string, string>): Promise<string> =>
    String((await portal.api('POST', `/crm/v3/objects/${type}`, { properties })).body['id']);
  const merge = (primaryObjectId: string, objectIdToMerge: string, type = 'contacts') =>
    portal.api('POST', `/crm/v3/objects/${type}/merge`, { primaryObjectId, objectIdToMerge });
  const linksOf = async (type: string, id: string, to: string): Promise<Json[]> =>
    (await portal.api('GET', `/crm/v4/objects/${type}/${id}/associations/${to}`)).body[
      'results'
    ] as unknown as Json[];
  const put = (from: string, fromId: string, to: string, toId: string) =>
    portal.api('PUT', `/crm/v4/objects/${from}/${fromId}/associations/default/${to}/${toId}`);

  it('a merge yields a third id; old ids read, write and link to the survivor', async () => {
    const a = await make('contacts', { email: 'a@x.com', firstname: 'Ada' });
    const b = await make('contacts', { email: 'b@x.com', firstname: 'Bea', phone: '1' });
    const merged = (await merge(a, b)).body;
    const id = String(merged['id']);
    expect([a, b]).not.toContain(id);
    const names =
      'email,firstname,phone,hs_additional_emails,hs_merged_object_ids,hs_calculated_merged_vids';
    for (const old of [a, b, id]) {
      expect(
        (await portal.api('GET', `${CONTACTS}/${old}?properties=${names}`)).body,
      ).toMatchObject({
        id,
        archived: false,
        properties: {
          email: 'a@x.com',
          firstname: 'Ada',
          phone: '1',
          hs_additional_emails: 'b@x.com',
          hs_merged_object_ids: `${a};${b}`,
        },
      });
    }
    expect(
      (await portal.api('POST', CONTACTS, { properties: { email: 'B@x.com' } })).body['message'],
    ).toMatch(id);
    expect(
      (await portal.api('PATCH', `${CONTACTS}/${b}`, { properties: { phone: '2' } })).body['id'],
    ).toBe(id);
    expect((await portal.control('GET', 'counts')).body['records']).toEqual({ contacts: 1 });
  });

  it('the other regime keeps the primary id', async () => {
    await portal.control('PATCH', 'behaviour', { mergeRegime: 'keep-primary' });
    const [a, b] = [
      await make('companies', { name: 'A', domain: 'a.com' }),
      await make('companies', { name: 'B', domain: 'b.com' }),
    ];
    expect((await merge(a, b, 'companies')).body['id']).toBe(a);
    const read = await portal.api(
      'GET',
      `/crm/v3/objects/companies/${b}?properties=hs_merged_object_ids,hs_additional_domains`,
    );
    expect(read.body).toMatchObject({
      id: a,
      properties: { hs_merged_object_ids: b, hs_additional_domains: 'b.com' },
    });
  });

  it('refuses what cannot be merged', async () => {
    const [a, b, c] = [
      await make('contacts', {}),
      await make('contacts', {}),
      await make('contacts', {}),
    ];
    await merge(a, b);
    expect((await merge(a, c)).body['message']).toMatch('not canonical');
    expect((await merge(c, c)).status).toBe(400);
    expect((await merge(c, '1')).status).toBe(404);
    expect((await merge(c, '1', 'meetings')).status).toBe(400);
  });

  it('a merge moves the links, or loses them when told to', async () => {
    const company = await make('companies', { name: 'Acme' });
    const people = [
      await make('contacts', {}),
      await make('contacts', {}),
      await make('contacts', {}),
    ];
    const [a = '', b = '', c = ''] = people;
    await put('contacts', b, 'companies', company);
    const third = String((await merge(a, b)).body['id']);
    expect(await linksOf('contacts', third, 'companies')).toMatchObject([
      { toObjectId: Number(company) },
    ]);
    expect(await linksOf('companies', company, 'contacts')).toMatchObject([
      { toObjectId: Number(third) },
    ]);
    await portal.control('PATCH', 'behaviour', { mergeLosesAssociations: true });
    const fourth = String((await merge(third, c)).body['id']);
    expect(await linksOf('contacts', fourth, 'companies')).toEqual([]);
  });

  it('archived: out of reads and search at once, in the list of archived, back with its links', async () => {
    const company = await make('companies', { name: 'Acme' });
    const id = await make('contacts', { email: 'a@x.com' });
    await put('contacts', id, 'companies', company);
    expect((await portal.api('DELETE', `${CONTACTS}/${id}`)).status).toBe(204);
    expect((await portal.api('DELETE', `${CONTACTS}/${id}`)).status).toBe(204);
    expect((await portal.api('GET', `${CONTACTS}/${id}`)).status).toBe(404);
    expect((await portal.api('GET', `${CONTACTS}/${id}?archived=true`)).body).toMatchObject({
      archived: true,
      archivedAt: expect.any(String),
    });
    expect((await portal.api('POST', `${CONTACTS}/search`, {})).body['total']).toBe(0);
    expect((await portal.api('GET', `${CONTACTS}?archived=true`)).body['results']).toMatchObject([
      { id },
    ]);
    expect(await linksOf('companies', company, 'contacts')).toEqual([]);
    await portal.control('POST', 'human', { action: 'restore', type: 'contacts', id });
    expect(await linksOf('companies', company, 'contacts')).toHaveLength(1);
  });

  it('the first company is primary and stays it; the latest where the portal is like that', async () => {
    const person = await make('contacts', {});
    const [first, second, third] = [
      await make('companies', {}),
      await make('companies', {}),
      await make('companies', {}),
    ];
    const primary = async () =>
      (await linksOf('contacts', person, 'companies'))
        .filter((link) => JSON.stringify(link['associationTypes']).includes('Primary'))
        .map((link) => String(link['toObjectId']));
    await put('contacts', person, 'companies', first);
    await put('companies', second, 'contacts', person);
    expect(await primary()).toEqual([first]);
    await portal.control('PATCH', 'behaviour', { primaryCompany: 'latest' });
    await put('contacts', person, 'companies', third);
    expect(await primary()).toEqual([third]);
    expect(await linksOf('contacts', person, 'companies')).toHaveLength(3);
    const read = await portal.api('GET', `${CONTACTS}/${person}?properties=associatedcompanyid`);
    expect(read.body['properties']).toMatchObject({ associatedcompanyid: third });
  });

  it('one link however often it is made, typed or not, seen in batch reads, gone after archive', async () => {
    const [person, meeting] = [
      await make('contacts', {}),
      await make('meetings', { hs_timestamp: '1735787045000' }),
    ];
    const input = { from: { id: meeting }, to: { id: person } };
    const base = '/crm/v4/associations/meetings/contacts/batch';
    const twice = await portal.api('POST', `${base}/associate/default`, {
      inputs: [input, input, { ...input, to: { id: '1' } }],
    });
    expect(twice.status).toBe(207);
    expect(twice.body).toMatchObject({
      numErrors: 1,
      errors: [{ errors: [{ code: 'INVALID_OBJECT_IDS' }] }],
    });
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 200 }];
    expect(
      (await portal.api('POST', `${base}/create`, { inputs: [{ ...input, types }] })).status,
    ).toBe(201);
    expect(
      (
        await portal.api(
          'PUT',
          `/crm/v4/objects/meetings/${meeting}/associations/contacts/${person}`,
          types,
        )
      ).status,
    ).toBe(201);
    const wrong = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }];
    expect(
      (
        await portal.api(
          'PUT',
          `/crm/v4/objects/meetings/${meeting}/associations/contacts/${person}`,
          wrong,
        )
      ).status,
    ).toBe(400);
    const read = await portal.api('POST', `${base}/read`, {
      inputs: [{ id: meeting }, { id: '1' }],
    });
    expect(read.body).toMatchObject({
      results: [
        {
          from: { id: meeting },
          to: [{ toObjectId: Number(person), associationTypes: [{ typeId: 200 }] }],
        },
      ],
      errors: [
        { subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND', context: { fromObjectId: ['1'] } },
      ],
    });
    await portal.api('POST', `${base}/archive`, {
      inputs: [{ from: { id: meeting }, to: [{ id: person }] }],
    });
    expect(await linksOf('contacts', person, 'meetings')).toEqual([]);
  });

  it('a link does not move the modified time', async () => {
    const [person, company] = [await make('contacts', {}), await make('companies', {})];
    const before = (await portal.api('GET', `${CONTACTS}/${person}`)).body['updatedAt'];
    await put('contacts', person, 'companies', company);
    expect((await portal.api('GET', `${CONTACTS}/${person}`)).body['updatedAt']).toBe(before);
  });

  it('privacy deletion through the API leaves nothing to read', async () => {
    await make('contacts', { email: 'a@x.com' });
    expect(
      (
        await portal.api('POST', `${CONTACTS}/gdpr-delete`, {
          objectId: 'A@x.com',
          idProperty: 'email',
        })
      ).status,
    ).toBe(204);
    expect((await portal.api('GET', `${CONTACTS}/a@x.com?idProperty=email`)).status).toBe(404);
    const all = (await portal.control('GET', 'records/contacts?archived=true')).body['results'];
    expect(all).toMatchObject([{ erased: true }]);
    expect(JSON.stringify(all)).not.toContain('a@x.com');
  });

  it('ids of different types coincide', async () => {
    expect(await make('contacts', {})).toBe(await make('companies', {}));
  });
});
