import { asExternalId, fingerprintOfValue } from '@counterpart/sync-model';
import { crm, entity, mapping, plan } from '../testing/builders.js';
import { baseAfterWrite, baseOfAdopted, planTarget } from './plan-target.js';
import { targetPolicy } from './target-policy.js';

const policy = targetPolicy(plan, { target: crm, recordType: 'contact' });
const print = fingerprintOfValue;
const same = (value: string) => ({ meant: print(value), stored: print(value) });
const ada = entity({ fields: { email: 'ada@example.com', firstName: 'Ada', segment: 'gold' } });

test.each([
  [
    'no record yet: everything known is sent, the CRM’s own fields too',
    ada,
    undefined,
    { kind: 'create', fields: ada.fields },
  ],
  [
    'nothing moved',
    ada,
    mapping({
      base: { email: same('ada@example.com'), firstName: same('Ada'), segment: same('gold') },
    }),
    { kind: 'none', externalId: '101' },
  ],
  [
    'only what moved is written, and never what the CRM owns',
    ada,
    mapping({
      base: { email: same('ada@example.com'), firstName: same('A.'), segment: same('silver') },
    }),
    { kind: 'update', externalId: '101', fields: { firstName: 'Ada' }, expectedVersion: null },
  ],
  [
    'a value the CRM cut is not written again',
    ada,
    mapping({
      base: {
        email: same('ada@example.com'),
        firstName: { meant: print('Ada'), stored: print('Ad') },
        segment: same('gold'),
      },
    }),
    { kind: 'none', externalId: '101' },
  ],
  [
    'what both sides changed is not written before a person has decided',
    entity({ fields: { jobTitle: 'CEO' } }),
    mapping({ base: { jobTitle: { ...same('CTO'), contested: true } } }),
    { kind: 'none', externalId: '101' },
  ],
  [
    'a clear is written as a clear',
    entity({ fields: { firstName: null } }),
    mapping({ base: { firstName: same('Ada') } }),
    { kind: 'update', externalId: '101', fields: { firstName: null }, expectedVersion: null },
  ],
  [
    'a tombstone stays one',
    ada,
    mapping({ status: 'tombstone' }),
    { kind: 'gone', reason: 'deleted-at-target' },
  ],
  [
    'an ended entity is written nowhere',
    entity({ status: 'deleted' }),
    undefined,
    { kind: 'gone', reason: 'entity-deleted' },
  ],
])('%s', (_name, one, record, expected) => {
  expect(planTarget(one, record, policy)).toEqual(expected);
});

test('the base after a write is what we meant beside what was stored', () => {
  expect(
    baseAfterWrite({ email: same('e') }, { firstName: 'Wilhelmina' }, { firstName: 'Wilhel' }, 7),
  ).toEqual({
    email: same('e'),
    firstName: { meant: print('Wilhelmina'), stored: print('Wilhel'), writtenAtMs: 7 },
  });
});

describe('a record that was there before us', () => {
  const heard = entity({
    fields: { firstName: 'Ada', phone: '1', segment: 'gold' },
    provenance: {
      firstName: { atMs: 1, sourceId: crm, standing: 'main' },
      phone: { atMs: 1, sourceId: crm, standing: 'mention' },
      segment: { atMs: 1, sourceId: crm, standing: 'main' },
    },
  });
  const next = (stored: Record<string, string | null>) =>
    planTarget(
      heard,
      mapping({ externalId: asExternalId('7'), base: baseOfAdopted(heard, stored, policy) }),
      policy,
    );
  test('gets our values where the app owns them', () => {
    expect(next({ firstName: 'A.', phone: '1', segment: 'gold' })).toMatchObject({
      fields: { firstName: 'Ada' },
    });
  });
  test('keeps its own where it owns them, and where ours is hearsay', () => {
    expect(next({ firstName: 'Ada', phone: '2', segment: 'silver' })).toMatchObject({
      kind: 'none',
    });
  });
  test('is filled where it is blank', () => {
    expect(next({ firstName: 'Ada', phone: null, segment: 'gold' })).toMatchObject({
      fields: { phone: '1' },
    });
  });
});
