import { Client } from '@hubspot/api-client';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/contacts/models/Filter.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { openPortal, startSim } from '../testing/sim-driver.js';
import type { RunningCrmSim } from './crm-sim-server.js';

/** If the vendor's own client can live with the simulator, the simulator speaks its language. */
describe('driven by the official client', () => {
  let sim: RunningCrmSim;
  let client: Client;

  beforeEach(async () => {
    sim = await startSim();
    const portal = await openPortal(sim);
    client = new Client({ accessToken: portal.token, basePath: sim.url });
  });
  afterEach(() => sim.close());

  const create = (properties: Record<string, string>) =>
    client.crm.contacts.basicApi.create({ properties, associations: [] });

  it('creates, reads, updates, lists and archives', async () => {
    const made = await create({ email: 'Ada@Example.com', firstname: 'Ada' });
    expect(made.properties).toMatchObject({ email: 'ada@example.com', firstname: 'Ada' });
    expect(made.createdAt).toBeInstanceOf(Date);

    const byEmail = await client.crm.contacts.basicApi.getById(
      'ADA@example.com',
      ['email', 'lastname'],
      ['firstname'],
      undefined,
      false,
      'email',
    );
    expect(byEmail.id).toBe(made.id);
    expect(byEmail.properties['lastname']).toBeNull();
    expect(byEmail.propertiesWithHistory?.['firstname']?.[0]).toMatchObject({
      value: 'Ada',
      sourceType: 'INTEGRATION',
      sourceId: '456',
    });

    const updated = await client.crm.contacts.basicApi.update(made.id, {
      properties: { lastname: 'Lovelace' },
    });
    expect(updated.properties['lastname']).toBe('Lovelace');
    expect((await client.crm.contacts.basicApi.getPage(10)).results.map((r) => r.id)).toEqual([
      made.id,
    ]);

    await client.crm.contacts.basicApi.archive(made.id);
    await expect(client.crm.contacts.basicApi.getById(made.id)).rejects.toMatchObject({
      code: 404,
    });
    const archived = await client.crm.contacts.basicApi.getPage(
      10,
      undefined,
      undefined,
      undefined,
      undefined,
      true,
    );
    expect(archived.results[0]?.archived).toBe(true);
  });

  it('names the record that stands in the way', async () => {
    const made = await create({ email: 'ada@example.com' });
    await expect(create({ email: 'ADA@example.com ' })).rejects.toMatchObject({
      code: 409,
      body: { category: 'CONFLICT', message: `Contact already exists. Existing ID: ${made.id}` },
    });
  });

  it('searches', async () => {
    const made = await create({ email: 'ada@example.com' });
    const found = await client.crm.contacts.searchApi.doSearch({
      filterGroups: [
        {
          filters: [
            { propertyName: 'email', operator: FilterOperatorEnum.Eq, value: 'ada@example.com' },
          ],
        },
      ],
      sorts: ['-createdate'],
      properties: ['email'],
      limit: 5,
      after: '0',
    });
    expect(found).toMatchObject({ total: 1, results: [{ id: made.id }] });
  });

  it('upserts in batches by a unique property of ours', async () => {
    await client.crm.properties.coreApi.create('companies', {
      name: 'counterpart_key',
      label: 'Key',
      type: PropertyCreateTypeEnum.String,
      fieldType: PropertyCreateFieldTypeEnum.Text,
      groupName: 'companyinformation',
      hasUniqueValue: true,
    });
    const upsert = (name: string) =>
      client.crm.companies.batchApi.upsert({
        inputs: [
          {
            id: 'k-1',
            idProperty: 'counterpart_key',
            properties: { name },
            objectWriteTraceId: 't-1',
          },
        ],
      });
    const first = await upsert('Acme');
    const second = await upsert('Acme Ltd');
    expect(first.results[0]).toMatchObject({ _new: true, objectWriteTraceId: 't-1' });
    expect(second.results[0]).toMatchObject({
      _new: false,
      id: first.results[0]?.id,
      properties: { name: 'Acme Ltd' },
    });
  });

  it('reads in batches and says what is missing', async () => {
    const made = await create({ email: 'ada@example.com' });
    const read = await client.crm.contacts.batchApi.read({
      inputs: [{ id: 'ada@example.com' }, { id: 'nobody@example.com' }],
      idProperty: 'email',
      properties: ['email'],
      propertiesWithHistory: [],
    });
    expect(read).toMatchObject({
      results: [{ id: made.id }],
      numErrors: 1,
      errors: [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['nobody@example.com'] } }],
    });
  });

  it('merges', async () => {
    const a = await create({ email: 'a@example.com' });
    const b = await create({ email: 'b@example.com' });
    // This version of the client has no typed call for it; its raw one goes the same way.
    const answer = await client.apiRequest({
      method: 'POST',
      path: '/crm/v3/objects/contacts/merge',
      body: { primaryObjectId: a.id, objectIdToMerge: b.id },
    });
    const merged = (await answer.json()) as { id: string };
    expect([a.id, b.id]).not.toContain(merged.id);
    expect((await client.crm.contacts.basicApi.getById(b.id)).id).toBe(merged.id);
  });

  it('associates and reads associations', async () => {
    const person = await create({ email: 'a@example.com' });
    const company = await client.crm.companies.basicApi.create({
      properties: { name: 'Acme' },
      associations: [],
    });
    const put = await client.crm.associations.v4.basicApi.createDefault(
      'contacts',
      person.id,
      'companies',
      company.id,
    );
    expect(put.results.map((r) => r.associationSpec.associationTypeId)).toEqual([279, 280]);
    const page = await client.crm.associations.v4.basicApi.getPage(
      'contacts',
      person.id,
      'companies',
    );
    expect(page.results).toHaveLength(1);
    expect(page.results[0]?.associationTypes.map((t) => t.typeId)).toEqual([279, 1]);
    const batch = await client.crm.associations.v4.batchApi.createDefault('contacts', 'companies', {
      inputs: [{ _from: { id: person.id }, to: { id: company.id } }],
    });
    expect(batch.status).toBe('COMPLETE');
    await client.crm.associations.v4.basicApi.archive(
      'contacts',
      person.id,
      'companies',
      company.id,
    );
    expect(
      (await client.crm.associations.v4.basicApi.getPage('contacts', person.id, 'companies'))
        .results,
    ).toEqual([]);
  });

  it('erases', async () => {
    const made = await create({ email: 'a@example.com' });
    const path = '/crm/v3/objects/contacts/gdpr-delete';
    const answer = await client.apiRequest({ method: 'POST', path, body: { objectId: made.id } });
    expect(answer.status).toBe(204);
    await expect(client.crm.contacts.basicApi.getById(made.id)).rejects.toMatchObject({
      code: 404,
    });
  });
});
