import { openPortal, startSim, type DrivenPortal, type Json } from '../testing/sim-driver.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

const CONTACTS = '/crm/v3/objects/contacts';

describe('batches', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim)));
  afterAll(() => sim.close());

  const batch = (verb: string, inputs: unknown[], type = 'contacts') =>
    portal.api('POST', `/crm/v3/objects/${type}/batch/${verb}`, { inputs });
  const person = (email: string, traceId?: string, more: object = {}) => ({
    properties: { email, ...more },
    ...(traceId && { objectWriteTraceId: traceId }),
  });
  const contacts = async (): Promise<Json> =>
    (await portal.control('GET', 'records/contacts')).body['results'] as Json;

  it('without trace ids the first conflict fails all and nothing is written', async () => {
    const held = await portal.api('POST', CONTACTS, person('b@x.com'));
    const answer = await batch('create', [person('a@x.com'), person('b@x.com'), person('bad')]);
    expect(answer.status).toBe(409);
    expect(answer.body['message']).toBe(
      `Contact already exists. Existing ID: ${String(held.body['id'])}`,
    );
    expect(await contacts()).toHaveLength(1);
  });

  it('with trace ids every input has its own verdict', async () => {
    const held = await portal.api('POST', CONTACTS, person('b@x.com'));
    const answer = await batch('create', [
      person('a@x.com', 't1'),
      person('b@x.com', 't2'),
      person('c@x.com', 't3', { nonsense: 1 }),
      person('A@x.com', 't4'),
    ]);
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({
      status: 'COMPLETE',
      numErrors: 3,
      results: [{ objectWriteTraceId: 't1', properties: { email: 'a@x.com' } }],
    });
    expect(answer.body['errors']).toMatchObject([
      {
        category: 'CONFLICT',
        context: { objectWriteTraceId: ['t2'], existingId: [held.body['id']] },
      },
      { category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['t3'] } },
      { category: 'CONFLICT', context: { objectWriteTraceId: ['t4'] } },
    ]);
    expect(await contacts()).toHaveLength(2);
  });

  it('a whole batch that goes well is 201 and one call', async () => {
    const inputs = Array.from({ length: 100 }, (_, i) => person(`p${i}@x.com`, `t${i}`));
    expect((await batch('create', inputs)).status).toBe(201);
    const calls = (await portal.control('GET', 'calls')).body['calls'];
    expect(calls).toMatchObject([{ kind: 'create', items: 100, committed: true }]);
  });

  it.each([
    ['more than 100 inputs', Array.from({ length: 101 }, (_, i) => person(`p${i}@x.com`))],
    ['no inputs', []],
    ['two inputs with one address', [person('a@x.com'), person('A@x.com ')]],
    ['an input that is no object', ['a']],
  ])('create refuses %s', async (_name, inputs) => {
    expect((await batch('create', inputs)).status).toBeGreaterThanOrEqual(400);
    expect(await contacts()).toHaveLength(0);
  });

  it('upsert says new or not, and refuses doubles, foreign id properties and missing ids', async () => {
    const one = (id: string, firstname: string) => ({
      id,
      idProperty: 'email',
      properties: { firstname },
    });
    expect(
      (await batch('upsert', [one('A@x.com', '1'), one('b@x.com', '2')])).body['results'],
    ).toMatchObject([
      { new: true, properties: { email: 'a@x.com', firstname: '1' } },
      { new: true },
    ]);
    expect((await batch('upsert', [one('a@x.com', '3')])).body['results']).toMatchObject([
      { new: false, properties: { firstname: '3' } },
    ]);
    const doubles = await batch('upsert', [one('a@x.com', '4'), one('A@X.com', '5')]);
    expect([doubles.status, doubles.body['message']]).toEqual([
      400,
      expect.stringMatching('Duplicate IDs found'),
    ]);
    for (const idProperty of ['hs_object_id', 'firstname', undefined]) {
      const answer = await batch('upsert', [{ id: 'x', idProperty, properties: {} }]);
      expect([answer.status, answer.body['message']]).toEqual([
        400,
        expect.stringMatching('non-unique'),
      ]);
    }
    expect((await batch('upsert', [{ idProperty: 'email', properties: {} }])).status).toBe(400);
  });

  it('two addresses of one contact in a batch are one record twice', async () => {
    await portal.api(
      'POST',
      CONTACTS,
      person('a@x.com', undefined, { hs_additional_emails: 'b@x.com' }),
    );
    const inputs = ['a@x.com', 'b@x.com'].map((id) => ({
      id,
      idProperty: 'email',
      properties: {},
    }));
    for (const verb of ['upsert', 'update'])
      expect((await batch(verb, inputs)).body['message']).toMatch('Duplicate IDs');
  });

  it('update by id and by address; the unknown are errors of a 207', async () => {
    const made = await portal.api('POST', CONTACTS, person('a@x.com'));
    const answer = await batch('update', [
      { id: 'a@x.com', idProperty: 'email', properties: { firstname: 'Ada' } },
      { id: '999', properties: { firstname: 'Nobody' } },
    ]);
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({
      results: [{ id: made.body['id'] }],
      errors: [{ category: 'OBJECT_NOT_FOUND' }],
    });
  });

  it('a meeting without a time is refused, alone and in a batch', async () => {
    const title = { properties: { hs_meeting_title: 'Hello' } };
    const alone = await portal.api('POST', '/crm/v3/objects/meetings', title);
    expect([alone.status, alone.body['message']]).toEqual([
      400,
      expect.stringMatching('hs_timestamp'),
    ]);
    const together = await batch(
      'create',
      [{ properties: { hs_timestamp: '2025-01-01T10:00:00Z' } }, title],
      'meetings',
    );
    expect(together.status).toBe(400);
    expect((await portal.control('GET', 'counts')).body['records']).toEqual({});
  });

  it('creates with associations, or not at all', async () => {
    const made = await portal.api('POST', CONTACTS, person('a@x.com'));
    const meeting = (id: unknown) => ({
      properties: { hs_timestamp: '2025-01-01T10:00:00Z' },
      associations: [
        { to: { id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 200 }] },
      ],
    });
    const bad = await portal.api('POST', '/crm/v3/objects/meetings', meeting('1'));
    expect(bad.body).toMatchObject({
      errors: [{ code: 'INVALID_OBJECT_IDS', context: { CONTACT: ['1'] } }],
    });
    const good = await portal.api('POST', '/crm/v3/objects/meetings', meeting(made.body['id']));
    const read = await portal.api(
      'GET',
      `/crm/v3/objects/meetings/${String(good.body['id'])}?associations=contacts`,
    );
    expect(read.body['associations']).toMatchObject({
      contacts: { results: [{ id: made.body['id'], type: 'meeting_to_contact' }] },
    });
  });
});
