import { asSourceId, asTenantId } from '@counterpart/sync-model';
import { readAppChanges, type AppSource } from './read-app-changes.js';

const source: AppSource = {
  tenantId: asTenantId('acme'),
  sourceId: asSourceId('app'),
  recordTypes: ['contact', 'meeting'],
  fieldTypes: {
    contact: { email: { type: 'email' }, firstName: { type: 'text', max: 5, overflow: 'refuse' } },
    company: { domain: { type: 'domain' } },
    meeting: { title: { type: 'text' } },
  },
};

const change = (parts: object = {}) => ({
  id: 'evt-1',
  type: 'contact',
  recordId: 'c-1',
  occurredAt: '2026-03-02T09:00:00Z',
  ...parts,
});
const read = (...changes: object[]) => readAppChanges({ changes }, source, 1_000);
const faultsOf = (...changes: object[]) => {
  const result = read(...changes);
  return result.ok ? [] : result.refusal.details.map(({ path, code }) => `${path} ${code}`);
};

test('values arrive in canonical form', () => {
  const result = read(change({ fields: { email: ' Ada@EXAMPLE.com ', firstName: 'Zoe\u0308' } }));
  expect(result).toMatchObject({
    ok: true,
    events: [
      {
        kind: 'changed',
        shape: 'delta',
        fields: { email: 'ada@example.com', firstName: 'Zo\u00eb' },
        revision: null,
      },
    ],
  });
});

test('attendees and their companies become relations, without fields the plan does not keep', () => {
  const result = read(
    change({
      type: 'meeting',
      action: 'create',
      attendees: [
        { email: 'A@x.com', phone: '1', company: { domain: 'https://X.com/', name: 'X' } },
      ],
    }),
  );
  expect(result).toMatchObject({
    events: [
      {
        kind: 'created',
        relations: [
          {
            role: 'attendee',
            externalId: null,
            fields: { email: 'a@x.com' },
            relations: [{ role: 'company', recordType: 'company', fields: { domain: 'x.com' } }],
          },
        ],
      },
    ],
  });
});

test('one change is the same change when it is read again, and another when its content differs', () => {
  const keyAndPrint = (fields: object) => {
    const result = read(change({ fields }));
    return result.ok ? [result.events[0]?.eventKey, result.events[0]?.fingerprint] : [];
  };
  const [key, print] = keyAndPrint({ email: 'a@x.com' });
  expect(keyAndPrint({ email: 'A@X.com ' })).toEqual([key, print]);
  const [other, otherPrint] = keyAndPrint({ email: 'b@x.com' });
  expect(other).toBe(key);
  expect(otherPrint).not.toBe(print);
});

test.each([
  ['an unknown record type', change({ type: 'deal' }), 'changes.0.type unknown-record-type'],
  [
    'an unknown field',
    change({ fields: { shoeSize: 4 } }),
    'changes.0.fields.shoeSize unknown-field',
  ],
  ['a wrong value', change({ fields: { email: 'nobody' } }), 'changes.0.fields.email field-email'],
  [
    'a text past its declared limit',
    change({ fields: { firstName: 'Wilhelmina' } }),
    'changes.0.fields.firstName field-too-long',
  ],
  [
    'half a surrogate pair',
    change({ fields: { firstName: '\ud800' } }),
    'changes.0.fields.firstName field-text',
  ],
  [
    'an attendee’s wrong address',
    change({ type: 'meeting', attendees: [{ email: 'x' }] }),
    'changes.0.attendees.0.email field-email',
  ],
])('%s is named by its place', (_name, one, fault) => {
  expect(faultsOf(one)).toEqual([fault]);
});

test.each([
  ['no changes', { changes: [] }],
  [
    'a hundred and one changes',
    { changes: Array.from({ length: 101 }, (_, n) => change({ id: `e${n}` })) },
  ],
  ['an unknown member', { changes: [change({ colour: 'red' })] }],
  ['a list for a value', { changes: [change({ fields: { email: ['a'] } })] }],
  ['a time without an offset', { changes: [change({ occurredAt: '2026-03-02 09:00' })] }],
  ['a NUL in an id', { changes: [change({ recordId: 'c\0' })] }],
  ['the separator of our keys in an id', { changes: [change({ recordId: 'c\u001fd' })] }],
  ['half a surrogate pair in an id', { changes: [change({ id: '\udc00' })] }],
  ['an id that no index takes', { changes: [change({ recordId: '\u{1f600}'.repeat(129) })] }],
  ['a number beyond all numbers', { changes: [change({ fields: { email: 1e999 } })] }],
  ['a revision beyond exact numbers', { changes: [change({ revision: 2 ** 53 })] }],
  ['a fractional revision', { changes: [change({ revision: 1.5 })] }],
  ['not even an object', 'changes'],
])('%s is refused whole', (_name, body) => {
  expect(readAppChanges(body, source, 1_000)).toMatchObject({
    ok: false,
    refusal: { status: 400, code: 'invalid-change' },
  });
});

test('a fault of the form has a place and a code of ours', () => {
  expect(faultsOf(change({ colour: 'red', fields: { email: ['a'] } }))).toEqual([
    'changes.0.fields.email invalid-union',
    'changes.0 unrecognized-keys',
  ]);
});

test('each change has its receipt', () => {
  const result = read(change(), change({ id: 'evt-2' }));
  expect(result.ok && result.receipts).toEqual([
    { id: 'evt-1', eventKey: result.ok && result.events[0]?.eventKey },
    { id: 'evt-2', eventKey: result.ok && result.events[1]?.eventKey },
  ]);
});

test('all faults of a request are told at once, and nothing of it is taken', () => {
  expect(
    faultsOf(change({ fields: { email: 'x' } }), change({ id: 'evt-2', type: 'deal' })),
  ).toHaveLength(2);
});
