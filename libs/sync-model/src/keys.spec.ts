import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { canonicalText } from './canonical-text.js';
import { fingerprintOfContent, fingerprintOfEvent, fingerprintOfValue } from './fingerprints.js';
import { hash128 } from './hash.js';
import { asEntityId, asEventKey, asExternalId, asSourceId, asTenantId } from './ids.js';
import {
  entityKey,
  eventKeyOf,
  matchKeyHash,
  matchValueOf,
  operationIdOf,
  parseRecordKey,
  recordKey,
} from './keys.js';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const hostile = fc.string({ unit: fc.constantFrom('a', '\x1e', '\x1f', 's', 'e'), minLength: 1 });

test('hash128 is the start of SHA-256 in uuid form', () => {
  const hex = createHash('sha256').update('Zoë').digest('hex').slice(0, 32);
  expect(hash128('Zoë').replaceAll('-', '')).toBe(hex);
  expect(hash128('Zoë')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

describe('canonicalText', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, b: -0 }, '{"b":0}'],
    ['e\u0301', '"é"'],
    [{ '\u{1f600}': 1, '\uff5e': 2 }, '{"\uff5e":2,"\u{1f600}":1}'],
    [1e21, '1e+21'],
  ])('%j', (value, expected) => expect(canonicalText(value)).toBe(expected));

  test('the order in which keys were written does not matter', () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.integer()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalText(turned)).toBe(canonicalText(value));
      }),
    );
  });

  test('numbers without a JSON form are refused', () => {
    expect(() => canonicalText({ a: Number.NaN })).toThrow(RangeError);
  });
});

describe('record keys', () => {
  const ref = (parts: readonly [string, string, string, string]) => ({
    tenantId: asTenantId(parts[0]),
    sourceId: asSourceId(parts[1]),
    recordType: parts[2],
    externalId: asExternalId(parts[3]),
  });

  test('a plain key is the parts with the separator between', () => {
    expect(recordKey(ref(['acme', 'crm', 'contact', '12']))).toBe('acme\x1fcrm\x1fcontact\x1f12');
    expect(entityKey(asTenantId('acme'), asEntityId('e'))).toBe('acme\x1fe');
  });

  test('parts come back whatever they hold, so no two records share a key', () => {
    fc.assert(
      fc.property(fc.tuple(hostile, hostile, hostile, hostile), (parts) => {
        expect(parseRecordKey(recordKey(ref(parts)))).toEqual(ref(parts));
      }),
    );
  });

  test.each(['', 'a\x1fb\x1fc', 'a\x1fb\x1fc\x1f', 'a\x1fb\x1fc\x1fd\x1fe'])('%j is none', (key) =>
    expect(parseRecordKey(key)).toBeUndefined(),
  );
});

describe('identities', () => {
  test('never joins two tenants, two sources or two kinds', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (tenant, other, source, identity) => {
        fc.pre(tenant !== other);
        const key = eventKeyOf(asTenantId(tenant), asSourceId(source), identity);
        expect(eventKeyOf(asTenantId(other), asSourceId(source), identity)).not.toBe(key);
        expect(matchKeyHash(asTenantId(tenant), source, identity, 'x')).not.toBe(
          matchKeyHash(asTenantId(other), source, identity, 'x'),
        );
      }),
    );
    expect(eventKeyOf(asTenantId('a'), asSourceId('b'), 'c')).not.toBe(
      eventKeyOf(asTenantId('ab'), asSourceId(''), 'c'),
    );
  });

  test('an operation is the same on every retry and differs by target, record and purpose', () => {
    const parts = {
      tenantId: asTenantId('acme'),
      eventKey: asEventKey('k'),
      targetSourceId: asSourceId('crm'),
      recordType: 'contact',
      entityId: asEntityId('e'),
      purpose: 'write',
    };
    expect(operationIdOf({ ...parts })).toBe(operationIdOf(parts));
    const others = [
      { ...parts, targetSourceId: asSourceId('crm-2') },
      { ...parts, entityId: asEntityId('f') },
      { ...parts, purpose: 'associate' },
    ];
    expect(new Set([parts, ...others].map(operationIdOf)).size).toBe(4);
  });

  test('a phone is matched without its extension', () => {
    expect(matchValueOf({ type: 'phone' }, '+14155550100;ext=12')).toBe('+14155550100');
    expect(matchValueOf({ type: 'text' }, 'a;ext=1')).toBe('a;ext=1');
    expect(matchValueOf({ type: 'email' }, null)).toBeNull();
  });
});

describe('fingerprints', () => {
  const payload = {
    kind: 'changed' as const,
    shape: 'snapshot' as const,
    fields: { state: 'open' },
    relations: [],
    revision: '3',
  };
  test('absent, cleared, empty and false are four different things', () => {
    expect(new Set([null, '', false, 0].map(fingerprintOfValue)).size).toBe(4);
  });
  test('a payload with another value, revision or merge is another payload', () => {
    const merge = { survivorId: asExternalId('1'), loserIds: [asExternalId('2')] };
    const variants = [
      payload,
      { ...payload, fields: { state: 'closed' } },
      { ...payload, fields: {} },
      { ...payload, revision: null },
      { ...payload, merge },
    ];
    expect(new Set(variants.map(fingerprintOfEvent)).size).toBe(variants.length);
    expect(fingerprintOfEvent({ ...payload, merge: null })).toBe(fingerprintOfEvent(payload));
  });
  test('content leaves verb and revision out', () => {
    expect(fingerprintOfContent({ ...payload })).toBe(
      fingerprintOfContent({ fields: { state: 'open' }, relations: [] }),
    );
  });
});
