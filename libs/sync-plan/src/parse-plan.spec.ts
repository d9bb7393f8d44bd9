import { examplePlan } from './example-plan.js';
import { parseSyncPlan } from './parse-plan.js';
import { planOfJson } from './plan-json.js';

const permissions = { knownProviders: ['app', 'hubspot'], allowPrivateAddresses: false };
const parse = (text: string, allowPrivateAddresses = false) =>
  parseSyncPlan(text, { ...permissions, allowPrivateAddresses });
const faultsOf = (text: string, allowPrivateAddresses = false) => {
  const result = parse(text, allowPrivateAddresses);
  return result.ok ? [] : result.faults.map(({ line, path, code }) => `${line} ${path} ${code}`);
};
/** The example with one piece of text replaced. */
const changed = (from: string, to: string): string => {
  expect(examplePlan).toContain(from);
  return examplePlan.replace(from, to);
};

test('a good plan is read, with its defaults', () => {
  const result = parse(examplePlan);
  expect(result).toMatchObject({
    ok: true,
    plan: {
      tenantId: 'acme',
      records: {
        contact: {
          match: ['email'],
          fields: {
            firstName: { fieldType: { type: 'text', max: 100 }, owner: 'app' },
            phone: { fieldType: { type: 'phone', country: 'US' }, owner: 'crm' },
          },
        },
        meeting: { match: [] },
      },
      sources: {
        app: { kind: 'app', secrets: ['file:acme/app'] },
        crm: {
          kind: 'crm',
          allowPrivateAddress: false,
          webhook: { endpoint: 'acme-crm', secrets: ['env:SECRET_CRM'] },
          quota: {
            perSecond: null,
            perTenSeconds: 100,
            searchPerSecond: 5,
            concurrency: 8,
            reserve: 0.1,
          },
          timing: { requestDeadlineMs: 10_000, crmLongestRunMs: 20_000, indexLagMs: 30_000 },
        },
      },
    },
  });
});

test('the JSON of the registry reads back as the same plan, whatever the order of the text', () => {
  const result = parse(examplePlan);
  if (!result.ok) throw new Error('the example is good');
  expect(planOfJson(result.planJson)).toEqual({ ok: true, plan: result.plan });
  const swapped = parse(
    changed('apiVersion: counterpart/v1\ntenant: acme', 'tenant: acme\napiVersion: counterpart/v1'),
  );
  expect(swapped).toMatchObject({ planJson: result.planJson });
  expect(planOfJson('{}')).toMatchObject({ ok: false, code: 'plan-unreadable' });
  expect(planOfJson('{')).toMatchObject({ ok: false, code: 'plan-unreadable' });
});

const phone = 'phone: { type: phone, country: US, owner: crm }';
test.each<[string, string, string, readonly string[]]>([
  ['unknown key at the top', 'tenant: acme', 'tenant: acme\nteam: x', ['3 team unknown-key']],
  ['unknown key of a source', 'settings:', 'setings:', ['27 sources.crm.setings unknown-key']],
  [
    'unknown key of a field',
    'max: 100',
    'maximum: 100',
    ['8 records.contact.fields.firstName.maximum unknown-key'],
  ],
  ['missing tenant', 'tenant: acme\n', '', ['1 tenant missing']],
  ['bad tenant', 'tenant: acme', 'tenant: Acme Inc', ['2 tenant bad-name']],
  ['bad version', 'counterpart/v1', 'counterpart/v2', ['1 apiVersion not-allowed']],
  [
    'unknown owner',
    'owner: app }\n      phone',
    'owner: salesforce }\n      phone',
    ['8 records.contact.fields.firstName.owner unknown-owner'],
  ],
  [
    'two owners in a list',
    phone,
    'phone: { type: phone, owner: [app, crm] }',
    ['9 records.contact.fields.phone.owner two-owners'],
  ],
  [
    'two owners one after the other',
    phone,
    'phone: { type: phone, owner: app, owner: crm }',
    ['9 records.contact.fields.phone.owner two-owners'],
  ],
  [
    'owner that does not map the field',
    ', phone: phone }',
    ' }',
    ['9 records.contact.fields.phone.owner owner-not-mapped'],
  ],
  ['duplicate key', 'tenant: acme', 'tenant: acme\ntenant: beta', ['3 tenant duplicate-key']],
  [
    'one field declared twice',
    phone,
    `${phone}\n      phone: { type: text, owner: crm }`,
    ['10 records.contact.fields.phone duplicate-key'],
  ],
  ['prototype key', 'tenant: acme', 'tenant: acme\n__proto__: {}', ['3 __proto__ unknown-key']],
  [
    'unknown field in a source map',
    'firstName: firstname',
    'givenName: firstname',
    ['30 sources.crm.records.contact.fields.givenName unknown-field'],
  ],
  [
    'two fields in one property',
    'firstName: firstname',
    'firstName: email',
    ['30 sources.crm.records.contact.fields.firstName duplicate-property'],
  ],
  [
    'unmapped match field',
    'domain: domain, name: name',
    'name: name',
    ['31 sources.crm.records.company.fields unmapped-match-field'],
  ],
  [
    'match field that does not exist',
    'match: [email]',
    'match: [mail]',
    [
      '5 records.contact.match[0] unknown-field',
      '30 sources.crm.records.contact.fields unmapped-match-field',
    ],
  ],
  [
    'record type that is not declared',
    'meeting: {} }',
    'call: {} }',
    [
      '17 records.meeting.fields.title.owner owner-not-mapped',
      '22 sources.app.records.call unknown-record-type',
    ],
  ],
  [
    'record type that is a word of the language',
    'meeting: {} }',
    'meeting: {}, constructor: {} }',
    ['22 sources.app.records.constructor unknown-record-type'],
  ],
  [
    'unknown field type',
    'type: domain',
    'type: hostname',
    ['13 records.company.fields.domain.type not-allowed'],
  ],
  [
    'unknown provider',
    'provider: hubspot',
    'provider: hubspoot',
    ['24 sources.crm.provider unknown-provider'],
  ],
  [
    'a secret in place of its reference',
    'file:acme/crm-token',
    'pat-na1-5cb2',
    ['26 sources.crm.credentials.accessToken bad-secret-ref'],
  ],
  [
    'a secret outside the folder',
    'file:acme/crm-token',
    'file:../other/crm-token',
    ['26 sources.crm.credentials.accessToken bad-secret-ref'],
  ],
  [
    'a variable that is no secret of a plan',
    'file:acme/crm-token',
    'env:DATABASE_URL',
    ['26 sources.crm.credentials.accessToken bad-secret-ref'],
  ],
  ['no secret', '["file:acme/app"]', '[]', ['21 sources.app.signing.secrets missing']],
  ['no URL', 'https://api.hubapi.com', 'hubapi', ['25 sources.crm.baseUrl bad-base-url']],
  ['not https', 'https://api.', 'http://api.', ['25 sources.crm.baseUrl bad-base-url']],
  ['password', 'https://api', 'https://u:p@api', ['25 sources.crm.baseUrl bad-base-url']],
  ['query', 'hubapi.com', 'hubapi.com?x=1', ['25 sources.crm.baseUrl bad-base-url']],
  [
    'private addresses where not permitted',
    'settings:',
    'allowPrivateAddress: true\n    settings:',
    ['27 sources.crm.allowPrivateAddress private-address'],
  ],
  [
    'timing that adds up to too much',
    'settings:',
    'timing: { indexLagMs: 600000, crmLongestRunMs: 600000 }\n    settings:',
    ['27 sources.crm.timing timing'],
  ],
  [
    'a deadline of nothing',
    'settings:',
    'timing: { requestDeadlineMs: 0 }\n    settings:',
    ['27 sources.crm.timing.requestDeadlineMs out-of-range'],
  ],
  [
    'a reserve that leaves no call',
    'settings:',
    'quota: { searchPerSecond: 1, reserve: 0.5 }\n    settings:',
    ['27 sources.crm.quota.searchPerSecond quota'],
  ],
  [
    'a NUL, which no database stores',
    'portalId: "123"',
    'portalId: "1\\0"',
    ['27 sources.crm.settings.portalId bad-format'],
  ],
  [
    'half a surrogate pair',
    'object: companies',
    'object: "\\ud800"',
    ['31 sources.crm.records.company.object bad-format'],
  ],
  ['syntax', 'tenant: acme', 'tenant: [acme', ['3  yaml-syntax']],
])('refused: %s', (_name, from, to, faults) => {
  expect(faultsOf(changed(from, to))).toEqual(faults);
});

test.each([
  'https://localhost/api',
  'https://127.0.0.1',
  'https://2130706433',
  'https://0177.0.0.1',
  'https://0x7f.1',
  'https://10.1.2.3',
  'https://169.254.169.254/latest',
  'https://100.100.100.200',
  'https://[::1]',
  'https://[::ffff:10.0.0.1]',
  'https://[fd00::1]',
  'https://[fe80::1]',
  'https://metadata.google.internal',
  'https://crm',
  'https://crm.local.',
])('private address refused: %s', (url) => {
  expect(faultsOf(changed('https://api.hubapi.com', `"${url}"`))).toEqual([
    '25 sources.crm.baseUrl private-address',
  ]);
});

test('a private address and plain http are accepted where both plan and installation permit', () => {
  const text = changed(
    'baseUrl: https://api.hubapi.com',
    'baseUrl: http://127.0.0.1:27010\n    allowPrivateAddress: true',
  );
  expect(faultsOf(text, true)).toEqual([]);
  expect(faultsOf(text, false)).toEqual(['26 sources.crm.allowPrivateAddress private-address']);
});

test('an endpoint shared with other secrets is refused, with the same secrets it is not', () => {
  const second = (secret: string) => `${examplePlan}  crm2:
    provider: hubspot
    baseUrl: https://api.hubapi.com
    credentials: { accessToken: "file:acme/crm2-token" }
    webhook: { endpoint: acme-crm, secrets: ["${secret}"] }
    records: {}
`;
  expect(faultsOf(second('env:SECRET_CRM'))).toEqual([]);
  expect(faultsOf(second('env:SECRET_OTHER'))).toEqual([
    '36 sources.crm2.webhook.endpoint endpoint-shared',
  ]);
});

test('all faults at once, in the order of the text, without a value of the file', () => {
  const text = examplePlan
    .replace('tenant: acme', 'tenant: acme\nteam: canary-a')
    .replace('owner: last-change', 'owner: canary_b')
    .replace('https://api.hubapi.com', 'ftp://canary-c')
    .replace('file:acme/crm-token', 'canary-d')
    .replace('provider: hubspot', 'provider: hubspot\n    color: canary-e');
  const result = parse(text);
  if (result.ok) throw new Error('the plan is bad');
  expect(result.faults.map(({ code }) => code)).toEqual([
    'unknown-key',
    'unknown-owner',
    'unknown-key',
    'bad-base-url',
    'bad-secret-ref',
  ]);
  expect(JSON.stringify(result.faults)).not.toMatch(/canary-[acde]/);
});

test('too large, too many aliases, not a table at all', () => {
  expect(faultsOf('a'.repeat(1_048_577))).toEqual(['1  too-large']);
  expect(faultsOf('')).toEqual(['1  wrong-type']);
  expect(faultsOf('- a')).toEqual(['1  wrong-type']);
  const bomb = ['a: &a [1,1,1,1,1,1,1,1,1,1]'];
  for (let i = 1; i < 9; i++)
    bomb.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i === 1 ? '' : i - 1}`)
        .join(',')}]`,
    );
  expect(faultsOf(bomb.join('\n'))).toEqual(['1  too-many-aliases']);
});
