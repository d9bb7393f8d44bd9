import { originOf } from './event-parts.js';
import { base, changed, decodeText, only } from '../testing/deliveries.js';

describe('decodeEvent: what an event says', () => {
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

describe('decodeEvent: identity and origin', () => {
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

  it('an integration is nobody in particular while our own marker is not known', () => {
    const event = { ...changed, changeSource: 'INTEGRATION', sourceId: '456' };
    expect([originOf(event, ''), originOf(event, '456')]).toEqual(['unknown', 'ours']);
    expect(originOf({ ...event, changeSource: 'CRM_UI' }, '')).toBe('others');
  });
});
