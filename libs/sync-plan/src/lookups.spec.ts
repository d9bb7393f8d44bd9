import { connectionOf, type ConnectionPorts } from './connection.js';
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
  const ports: ConnectionPorts = {
    resolveSecret: (ref) => Promise.resolve({ ok: true, value: { reveal: () => `<${ref}>` } }),
    allowPrivateAddresses: false,
  };
  expect(await connectionOf(plan, 'crm', ports)).toMatchObject({
    ok: true,
    connection: {
      tenantId: 'acme',
      sourceId: 'crm',
      accessToken: '<file:acme/crm-token>',
      settings: { portalId: '123' },
    },
  });
  expect(await connectionOf(plan, 'app', ports)).toMatchObject({ code: 'not-a-crm-source' });
  const missing = { ok: false as const, code: 'secret-missing', detail: 'no such file' };
  const locked = { ...ports, resolveSecret: () => Promise.resolve(missing) };
  expect(await connectionOf(plan, 'crm', locked)).toEqual(missing);
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
])('private addresses: plan %s, operator %s → %s', async (planned, granted, allowed) => {
  const { crm } = plan.sources;
  if (crm?.kind !== 'crm') throw new Error('no CRM');
  const asked = { ...plan, sources: { crm: { ...crm, allowPrivateAddress: planned } } };
  const ports: ConnectionPorts = {
    resolveSecret: () => Promise.resolve({ ok: true, value: { reveal: () => 'x' } }),
    allowPrivateAddresses: granted,
  };
  expect(await connectionOf(asked, 'crm', ports)).toMatchObject({
    connection: { allowPrivateAddress: allowed },
  });
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
