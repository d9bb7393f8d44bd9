import { connectionOf } from './connection.js';
import { examplePlan } from './example-plan.js';
import { fieldTypeOf, ownerOf, recordMapsOf, targetsOf } from './lookups.js';
import { parseSyncPlan } from './parse-plan.js';
import { planSlices } from './slices.js';

const result = parseSyncPlan(examplePlan, {
  knownProviders: ['app', 'hubspot'],
  allowPrivateAddresses: false,
});
if (!result.ok) throw new Error('the example is good');
const { plan } = result;

test('owner and type of a field; nothing for what the plan does not know', () => {
  expect(ownerOf(plan, 'contact', 'email')).toBe('last-change');
  expect(fieldTypeOf(plan, 'contact', 'phone')).toEqual({ type: 'phone', country: 'US' });
  expect(ownerOf(plan, 'contact', 'constructor')).toBeUndefined();
  expect(ownerOf(plan, 'constructor', 'name')).toBeUndefined();
});

test('record maps carry types and match fields', () => {
  expect(recordMapsOf(plan, 'crm')[0]).toEqual({
    recordType: 'company',
    objectName: 'companies',
    matchFields: ['domain'],
    fields: [
      { field: 'domain', property: 'domain', fieldType: { type: 'domain' } },
      { field: 'name', property: 'name', fieldType: { type: 'text' } },
    ],
  });
  expect(recordMapsOf(plan, 'app')).toEqual([]);
});

test.each([
  ['app', 'contact', ['crm']],
  ['app', 'meeting', []],
  ['crm', 'contact', []],
  ['app', 'toString', []],
])('a change at %s of a %s goes to %j', (origin, type, targets) => {
  expect(targetsOf(plan, origin, type)).toEqual(targets);
});

test('a connection has its secret, or says why not', async () => {
  const secretOf = (ref: string) =>
    Promise.resolve({ ok: true as const, value: { reveal: () => `<${ref}>` } });
  expect(await connectionOf(plan, 'crm', secretOf)).toMatchObject({
    ok: true,
    connection: {
      tenantId: 'acme',
      sourceId: 'crm',
      accessToken: '<file:acme/crm-token>',
      settings: { portalId: '123' },
    },
  });
  expect(await connectionOf(plan, 'app', secretOf)).toMatchObject({ code: 'not-a-crm-source' });
  const missing = { ok: false as const, code: 'secret-missing', detail: 'no such file' };
  expect(await connectionOf(plan, 'crm', () => Promise.resolve(missing))).toEqual(missing);
});

test('a slice holds nothing that is not its service’s business', () => {
  const { ingest, dedupe, writer } = planSlices(plan);
  expect(JSON.stringify(ingest)).not.toContain('crm-token');
  expect(JSON.stringify(dedupe)).not.toMatch(/file:|env:|https:/);
  expect(JSON.stringify(writer)).not.toMatch(/SECRET_CRM|acme\/app/);
  expect(dedupe.sources['crm']).toEqual({
    provider: 'hubspot',
    recordTypes: ['company', 'contact'],
  });
});
