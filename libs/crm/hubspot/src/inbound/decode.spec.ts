import { base, changed, decode, decodeText } from '../testing/deliveries.js';

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
