import { standardProperties } from './definition.js';
import { canonicalValue, shownValue, webhookValue } from './values.js';

const contacts = standardProperties('contacts');
const meetings = standardProperties('meetings');
const property = (name: string) => {
  const found = [...contacts, ...meetings].find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};
const stored = (name: string, raw: unknown) => {
  const canonical = canonicalValue(property(name), raw);
  return 'value' in canonical ? canonical.value : canonical.fault.error;
};

describe('stored values', () => {
  it.each([
    ['email', ' Ada@Example.COM ', 'ada@example.com'],
    ['email', 'not an address', 'INVALID_EMAIL'],
    ['hs_additional_emails', ' B@x.com;;C@x.com', 'b@x.com;c@x.com'],
    ['email', 'zoë@exämple.de', 'zoë@exämple.de'],
    ['firstname', null, ''],
    ['firstname', '', ''],
    ['firstname', ' Ada ', ' Ada '],
    ['firstname', 7, '7'],
    ['firstname', true, 'true'],
    ['firstname', { a: 1 }, 'INVALID_TYPE'],
    ['firstname', 'x'.repeat(65_537), 'PROPERTY_VALUE_TOO_LONG'],
    ['numemployees', 12, '12'],
    ['numemployees', 'twelve', 'INVALID_NUMBER'],
    ['lifecyclestage', 'lead', 'lead'],
    ['lifecyclestage', 'king', 'INVALID_OPTION'],
    ['hs_meeting_start_time', '2025-01-02T03:04:05Z', '1735787045000'],
    ['hs_meeting_start_time', 1735787045000, '1735787045000'],
    ['hs_meeting_start_time', 'soon', 'INVALID_LONG'],
  ])('%s of %j is %s', (name, raw, expected) => expect(stored(name, raw)).toBe(expected));

  it('keeps composed and decomposed forms apart, as the real one may', () => {
    expect(stored('firstname', 'Zoe\u0308')).not.toBe(stored('firstname', 'Zo\u00eb'));
  });

  it('shows instants as ISO text on reads and as milliseconds in webhooks', () => {
    const start = property('hs_meeting_start_time');
    expect(shownValue(start, '1735787045000')).toBe('2025-01-02T03:04:05Z');
    expect(shownValue(start, '1735787045123')).toBe('2025-01-02T03:04:05.123Z');
    expect(webhookValue(start, '1735787045000')).toBe('1735787045000');
  });

  it('takes dates at midnight UTC only', () => {
    const date = { ...property('firstname'), type: 'date' as const };
    expect(canonicalValue(date, '2025-01-02')).toEqual({ value: '2025-01-02' });
    expect(canonicalValue(date, String(Date.parse('2025-01-02')))).toEqual({ value: '2025-01-02' });
    expect(canonicalValue(date, '2025-01-02T16:00:00-07:00')).toHaveProperty(
      'fault.error',
      'INVALID_LONG',
    );
    expect(webhookValue(date, '2025-01-02')).toBe(String(Date.parse('2025-01-02')));
  });
});
