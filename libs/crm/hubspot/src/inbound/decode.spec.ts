import type { InboundSource, RawChange } from '@counterpart/crm-port';
import { asSourceId, asTenantId } from '@counterpart/sync-model';
import { decodeDelivery } from './decode.js';

const source: InboundSource = {
  tenantId: asTenantId('acme'),
  sourceId: asSourceId('crm'),
  instanceId: '62515',
  ownMarker: '456',
  records: [
    {
      recordType: 'contact',
      objectName: 'contacts',
      matchFields: ['email'],
      fields: [
        { field: 'email', property: 'email', fieldType: { type: 'email' } },
        { field: 'firstName', property: 'firstname', fieldType: { type: 'text' } },
        { field: 'birthday', property: 'birth', fieldType: { type: 'date' } },
      ],
    },
    {
      recordType: 'meeting',
      objectName: 'meetings',
      matchFields: [],
      fields: [
        { field: 'startsAt', property: 'hs_meeting_start_time', fieldType: { type: 'instant' } },
      ],
    },
    { recordType: 'pet', objectName: '2-345', matchFields: [], fields: [] },
  ],
};

const base = {
  eventId: 1,
  subscriptionId: 12,
  portalId: 62515,
  appId: 456,
  occurredAt: 1700000000000,
  attemptNumber: 0,
  objectId: 1246965,
  changeSource: 'CRM_UI',
  sourceId: 'userId:7',
};
const changed = {
  ...base,
  subscriptionType: 'contact.propertyChange',
  propertyName: 'firstname',
  propertyValue: 'Ada',
};

const decodeText = (text: string | Uint8Array) =>
  decodeDelivery(
    {
      method: 'POST',
      url: 'https://hooks.example/x',
      headers: {},
      body: typeof text === 'string' ? Buffer.from(text) : text,
      receivedAtMs: 1700000001000,
    },
    (instanceId) => (instanceId === source.instanceId ? source : undefined),
  );
const decode = (...events: unknown[]) => decodeText(JSON.stringify(events));
const only = (event: object): RawChange => {
  const { changes, refused } = decode(event);
  expect(refused).toEqual([]);
  const [change] = changes;
  if (changes.length !== 1 || change === undefined) throw new Error('expected one change');
  return change;
};

describe('decodeDelivery: what an event says', () => {
  it('a property change is a delta of one canonical field', () => {
    expect(only(changed)).toEqual({
      instanceId: '62515',
      identity: expect.any(String),
      recordType: 'contact',
      externalId: '1246965',
      kind: 'changed',
      shape: 'delta',
      fields: { firstName: 'Ada' },
      revision: '1700000000000',
      occurredAtMs: 1700000000000,
      origin: 'others',
      originDetail: 'CRM_UI:userId:7',
      merge: null,
    });
  });

  it.each([
    ['contact.creation', 'created', 'hint'],
    ['contact.deletion', 'deleted', 'delta'],
    ['contact.restore', 'restored', 'hint'],
    ['contact.privacyDeletion', 'erased', 'delta'],
  ])('%s', (subscriptionType, kind, shape) => {
    expect(only({ ...base, subscriptionType })).toMatchObject({
      kind,
      shape,
      fields: {},
      merge: null,
    });
  });

  it.each([
    ['a third id survives', 3, [2], ['1', '2']],
    ['the primary survives', 1, [2], ['2']],
    ['many are merged', 9, [2, 3], ['1', '2', '3']],
    ['the survivor is listed as merged', 2, [2], ['1']],
  ])('merge: %s', (_name, newObjectId, mergedObjectIds, loserIds) => {
    const event = {
      ...base,
      subscriptionType: 'contact.merge',
      primaryObjectId: 1,
      newObjectId,
      mergedObjectIds,
    };
    expect(only(event)).toMatchObject({
      kind: 'merged',
      externalId: String(newObjectId),
      merge: { survivorId: String(newObjectId), loserIds },
    });
  });

  it.each([
    [{ ...changed, propertyValue: '' }, { firstName: null }],
    [
      { ...changed, propertyName: 'email', propertyValue: ' Ada@Example.COM' },
      { email: 'ada@example.com' },
    ],
    [
      { ...changed, propertyName: 'birth', propertyValue: '1700006400000' },
      { birthday: '2023-11-15' },
    ],
    [
      {
        ...changed,
        subscriptionType: 'object.propertyChange',
        objectTypeId: '0-47',
        propertyName: 'hs_meeting_start_time',
        propertyValue: '1700000000123',
      },
      { startsAt: '2023-11-14T22:13:20.123Z' },
    ],
  ])('values are canonical %#', (event, fields) => {
    expect(only(event)).toMatchObject({ kind: 'changed', shape: 'delta', fields });
  });

  it.each([{ isSensitive: true }, { propertyValue: 'REDACTED' }])(
    'a masked value is a hint to go and read: %j',
    (mask) => {
      expect(only({ ...changed, ...mask })).toMatchObject({
        kind: 'changed',
        shape: 'hint',
        fields: {},
      });
    },
  );

  it('accepts eventType, generic events and custom objects', () => {
    const { subscriptionType, ...event } = changed;
    expect(only({ ...event, eventType: subscriptionType }).fields).toEqual({ firstName: 'Ada' });
    const generic = { ...base, subscriptionType: 'object.creation' };
    expect(only({ ...generic, objectTypeId: '0-1' }).recordType).toBe('contact');
    expect(only({ ...generic, objectTypeId: '2-345' }).recordType).toBe('pet');
  });

  it.each([
    {
      ...base,
      objectId: undefined,
      subscriptionType: 'contact.associationChange',
      fromObjectId: 5,
      toObjectId: 6,
    },
    {
      ...base,
      objectId: undefined,
      subscriptionType: 'object.associationChange',
      fromObjectTypeId: '0-1',
      fromObjectId: 5,
    },
  ])('an association is a hint for the record it starts from %#', (event) => {
    expect(only(event)).toMatchObject({ kind: 'associated', shape: 'hint', externalId: '5' });
  });
});

describe('decodeDelivery: identity and origin', () => {
  const identity = (changes: object) => only({ ...changed, ...changes }).identity;

  it('is the same on every attempt and in every order of keys', () => {
    const reversed = Object.fromEntries(Object.entries({ ...changed, attemptNumber: 9 }).reverse());
    expect(only(reversed).identity).toBe(identity({}));
  });

  it.each([
    { eventId: 2 },
    { subscriptionId: 13 },
    { objectId: 1246966 },
    { occurredAt: 1700000000001 },
    { propertyValue: 'Bea' },
    { somethingNew: true },
  ])('differs by %j', (change) => {
    expect(identity(change)).not.toBe(identity({}));
  });

  it('keeps ids beyond 2^53 apart', () => {
    const text = (id: string) => `[${JSON.stringify(changed).replace('1246965', id)}]`;
    const ids = ['9007199254740992', '9007199254740993'].map(
      (id) => decodeText(text(id)).changes[0],
    );
    expect(ids.map((change) => change?.externalId)).toEqual([
      '9007199254740992',
      '9007199254740993',
    ]);
    expect(ids[0]?.identity).not.toBe(ids[1]?.identity);
  });

  it.each([
    [{ changeSource: 'INTEGRATION', sourceId: '456' }, 'ours', 'INTEGRATION:456'],
    [{ changeSource: 'INTEGRATION', sourceId: 456 }, 'ours', 'INTEGRATION:456'],
    [{ changeSource: 'INTEGRATION', sourceId: '457' }, 'others', 'INTEGRATION:457'],
    [{ changeSource: 'INTEGRATION', sourceId: undefined }, 'unknown', 'INTEGRATION:'],
    [{ changeSource: 'AUTOMATION_PLATFORM', sourceId: '456' }, 'others', 'AUTOMATION_PLATFORM:456'],
    [{ changeSource: 'SOMETHING_NEW' }, 'others', 'SOMETHING_NEW:userId:7'],
    [{ changeSource: undefined }, 'unknown', ':userId:7'],
    [{ changeSource: 'é\n', sourceId: 'x'.repeat(500) }, 'others', `??:${'x'.repeat(97)}`],
  ])('%j is %s', (marks, origin, originDetail) => {
    expect(only({ ...changed, ...marks })).toMatchObject({ origin, originDetail });
  });
});

describe('decodeDelivery: what is of no interest', () => {
  it.each([
    ['an unmapped property', { ...changed, propertyName: 'counterpart_key' }],
    ['an unmapped type', { ...changed, subscriptionType: 'deal.propertyChange' }],
    [
      'an unmapped generic type',
      { ...changed, subscriptionType: 'object.creation', objectTypeId: '0-48' },
    ],
    ['a conversation', { ...base, subscriptionType: 'conversation.newMessage' }],
    ['a verb we do not know', { ...base, subscriptionType: 'contact.somethingNew' }],
    [
      'our own association',
      {
        ...base,
        subscriptionType: 'contact.associationChange',
        changeSource: 'INTEGRATION',
        sourceId: '456',
      },
    ],
  ])('%s', (_name, event) => {
    expect(decode(event)).toEqual({ changes: [], refused: [], ignored: 1 });
  });
});

describe('decodeDelivery: bad input', () => {
  it.each([
    ['no object', 7, 'not-an-object'],
    ['a list', [], 'not-an-object'],
    ['nothing', null, 'not-an-object'],
    ['another portal', { ...changed, portalId: 1 }, 'unknown-instance'],
    ['no portal', { ...changed, portalId: undefined }, 'unknown-instance'],
    ['no type', { ...base }, 'event-type'],
    [
      'a generic event without its type',
      { ...base, subscriptionType: 'object.creation' },
      'object-type',
    ],
    ['no time', { ...changed, occurredAt: undefined }, 'occurred-at'],
    ['a time as text', { ...changed, occurredAt: '2024-01-01' }, 'occurred-at'],
    ['a time beyond dates', { ...changed, occurredAt: 9e15 }, 'occurred-at'],
    ['no record id', { ...changed, objectId: undefined }, 'record-id'],
    ['a negative record id', { ...changed, objectId: -1 }, 'record-id'],
    ['a fraction as record id', { ...changed, objectId: 1.5 }, 'record-id'],
    ['no property', { ...changed, propertyName: undefined }, 'property'],
    ['a number as value', { ...changed, propertyValue: 7 }, 'property'],
    ['an object as value', { ...changed, propertyValue: { a: 1 } }, 'property'],
    ['no address', { ...changed, propertyName: 'email', propertyValue: 'nobody' }, 'field-email'],
    ['half a surrogate pair', { ...changed, propertyValue: '\ud800' }, 'field-text'],
    [
      'a merge without survivor',
      { ...base, subscriptionType: 'contact.merge', primaryObjectId: 1, mergedObjectIds: [2] },
      'merge-ids',
    ],
    [
      'a merge of itself',
      {
        ...base,
        subscriptionType: 'contact.merge',
        primaryObjectId: 1,
        newObjectId: 1,
        mergedObjectIds: [1],
      },
      'merge-ids',
    ],
  ])('%s is refused alone', (_name, event, code) => {
    const result = decode(changed, event, { ...changed, eventId: 2 });
    expect(result.changes).toHaveLength(2);
    expect(result.refused).toEqual([{ index: 1, code, detail: expect.any(String) }]);
  });

  it('never repeats a value in a detail', () => {
    const result = decode({ ...changed, propertyName: 'email', propertyValue: 'canary-4711' });
    expect(JSON.stringify(result.refused)).not.toContain('canary-4711');
  });

  it.each([
    ['no JSON', 'x', 'malformed-json'],
    ['nothing', '', 'malformed-json'],
    ['one event without its list', JSON.stringify(changed), 'not-a-list'],
    ['101 events', JSON.stringify(Array.from({ length: 101 }, () => changed)), 'too-many-events'],
    ['deep nesting', '['.repeat(100_000), 'too-deep'],
    ['no UTF-8', Uint8Array.from([0x5b, 0xff, 0x5d]), 'not-utf8'],
  ])('a delivery of %s is refused as a whole', (_name, text, code) => {
    expect(decodeText(text)).toEqual({
      changes: [],
      refused: [{ index: -1, code, detail: expect.any(String) }],
      ignored: 0,
    });
  });

  it('100 events are read; none is fine', () => {
    const events = Array.from({ length: 100 }, (_, eventId) => ({ ...changed, eventId }));
    expect(new Set(decode(...events).changes.map((change) => change.identity)).size).toBe(100);
    expect(decode()).toEqual({ changes: [], refused: [], ignored: 0 });
  });

  it('__proto__ and infinities are harmless', () => {
    const text = JSON.stringify([changed]).replace('{', '{"__proto__":{"portalId":1,"x":1e999},');
    expect(decodeText(text).changes).toHaveLength(1);
    const hidden = `[{"__proto__":${JSON.stringify(changed)}}]`;
    expect(decodeText(hidden).refused).toMatchObject([{ code: 'unknown-instance' }]);
  });
});
