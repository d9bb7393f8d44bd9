import type { RecordMap } from '@counterpart/crm-port';
import type { FieldType, FieldValue } from '@counterpart/sync-model';
import {
  fieldOfProperty,
  fromPropertyText,
  mappedProperties,
  toFields,
  toNewProperties,
  toProperties,
  toPropertyText,
} from './translate.js';

const map: RecordMap = {
  recordType: 'meeting',
  objectName: 'meetings',
  matchFields: [],
  fields: [
    { field: 'title', property: 'hs_meeting_title', fieldType: { type: 'text' } },
    { field: 'startsAt', property: 'hs_meeting_start_time', fieldType: { type: 'instant' } },
    { field: 'phone', property: 'phone', fieldType: { type: 'phone', country: 'US' } },
  ],
};

describe('values', () => {
  it.each<[FieldType, FieldValue, string]>([
    [{ type: 'text' }, 'a\nb "c" é', 'a\nb "c" é'],
    [{ type: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'phone' }, '+14155550100', '+14155550100'],
    [{ type: 'domain' }, 'example.com', 'example.com'],
    [{ type: 'date' }, '2026-03-31', '2026-03-31'],
    [{ type: 'instant' }, '2026-03-31T10:00:00.123Z', '1774951200123'],
    [{ type: 'instant' }, '1969-12-31T23:59:50.000Z', '-10000'],
    [{ type: 'picklist', options: ['a;b', 'c'] }, 'a;b', 'a;b'],
    [{ type: 'number' }, 1.5, '1.5'],
    [{ type: 'number' }, 0, '0'],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'text' }, null, ''],
  ])('%j %j goes as %j and comes back', (type, value, text) => {
    expect(toPropertyText(type, value)).toBe(text);
    expect(fromPropertyText(type, text)).toBe(value);
  });

  it.each<[FieldType, string | null, FieldValue]>([
    [{ type: 'instant' }, '2026-03-31T10:00:00Z', '2026-03-31T10:00:00.000Z'],
    [{ type: 'date' }, '1774915200000', '2026-03-31'],
    [{ type: 'email' }, 'Ada@Example.com ', 'ada@example.com'],
    [{ type: 'phone', country: 'US' }, '(415) 555-0100', '+14155550100'],
    [{ type: 'boolean' }, '', null],
    [{ type: 'number' }, null, null],
  ])('%j reads %j as %j', (type, text, value) => {
    expect(fromPropertyText(type, text)).toBe(value);
  });

  it.each<[FieldType, string]>([
    [{ type: 'phone' }, 'ask Bob'],
    [{ type: 'number' }, 'many'],
    [{ type: 'picklist', options: ['a'] }, 'b'],
    [{ type: 'date' }, '1774951200123'],
    [{ type: 'text', max: 3 }, 'longer'],
  ])('%j keeps %j as it is stored', (type, text) => {
    expect(fromPropertyText(type, text)).toBe(text);
  });
});

describe('records', () => {
  it('sends mapped fields only, clears with the empty text, and places a meeting in time', () => {
    const fields = { title: null, startsAt: '2026-03-31T10:00:00.000Z', other: 'x' };
    expect(toProperties(map, fields)).toEqual({
      hs_meeting_title: '',
      hs_meeting_start_time: '1774951200000',
      hs_timestamp: '1774951200000',
    });
    expect(toNewProperties(map, fields)).not.toHaveProperty('hs_meeting_title');
  });

  it('a start that is cleared leaves the place in time', () => {
    expect(toProperties(map, { startsAt: null })).toEqual({ hs_meeting_start_time: '' });
  });

  it('tells only what the answer tells', () => {
    const stored = { hs_meeting_title: 'Hi', hs_object_id: '1' };
    expect(toFields(map, stored, { startsAt: '2026-03-31T10:00:00.000Z', phone: null })).toEqual({
      title: 'Hi',
      phone: null,
    });
  });

  it('a field named like a prototype member stays a field', () => {
    const odd: RecordMap = {
      ...map,
      fields: [{ field: '__proto__', property: 'constructor', fieldType: { type: 'text' } }],
    };
    expect(toProperties(odd, {})).toEqual({});
    expect(Object.keys(toFields(odd, { constructor: 'x' } as never))).toEqual(['__proto__']);
  });

  it('speaks canonical names upwards', () => {
    expect(fieldOfProperty(map, 'hs_meeting_title')).toBe('title');
    expect(fieldOfProperty(map, 'hs_timestamp')).toBeNull();
    expect(mappedProperties(map)).toEqual(['hs_meeting_title', 'hs_meeting_start_time', 'phone']);
  });
});
