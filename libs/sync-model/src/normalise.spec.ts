import * as fc from 'fast-check';
import { domainToASCII } from 'node:url';
import type { FieldType } from './fields.js';
import { asciiHostName } from './host-name.js';
import { normaliseFields, normaliseValue } from './normalise.js';

const us: FieldType = { type: 'phone', country: 'US' };
const stage: FieldType = { type: 'picklist', options: ['Open', 'Closed'] };

describe('values that are read', () => {
  test.each<[FieldType, unknown, unknown]>([
    [{ type: 'email' }, ' Zoe.Novak+vip@Example.COM\u00a0', 'zoe.novak+vip@example.com'],
    [{ type: 'email' }, '\u200bZOE\u0308@example.com\ufeff', 'zo\u00eb@example.com'],
    [{ type: 'email' }, 'info@M\u00dcNCHEN.example', 'info@xn--mnchen-3ya.example'],
    [{ type: 'domain' }, 'https://www.Acme.Example:8443/about?x=1#y', 'acme.example'],
    [{ type: 'domain' }, 'ACME.example.', 'acme.example'],
    [{ type: 'domain' }, 'shop.acme.example', 'shop.acme.example'],
    [{ type: 'domain' }, 'www.www.acme.example', 'acme.example'],
    [{ type: 'domain' }, 'www.example', 'www.example'],
    [{ type: 'domain' }, 'b\u00fccher\u3002example', 'xn--bcher-kva.example'],
    [us, '(415) 555-0100', '+14155550100'],
    [us, '415.555.0100 x12', '+14155550100;ext=12'],
    [us, '+44 20 7946 0958', '+442079460958'],
    [{ type: 'phone' }, 'tel:+14155550100;ext=12', '+14155550100;ext=12'],
    [{ type: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'date' }, 1774915200000, '2026-03-31'],
    [{ type: 'date' }, '1774915200000', '2026-03-31'],
    [{ type: 'instant' }, '2026-03-31T16:00:00-07:00', '2026-03-31T23:00:00.000Z'],
    [{ type: 'instant' }, '2026-03-31t16:00:00.123456z', '2026-03-31T16:00:00.123Z'],
    [{ type: 'instant' }, '2026-03-31 16:00+0530', '2026-03-31T10:30:00.000Z'],
    [{ type: 'instant' }, '1774915200000', '2026-03-31T00:00:00.000Z'],
    [stage, 'Open', 'Open'],
    [{ type: 'number' }, '12.50', 12.5],
    [{ type: 'number' }, -0, 0],
    [{ type: 'boolean' }, 'TRUE', true],
    [{ type: 'text' }, 'Zoe\u0308 ', 'Zo\u00eb '],
    [{ type: 'text', max: 2, overflow: 'truncate' }, '\u{1f600}bc', '\u{1f600}b'],
    [{ type: 'text', max: 2 }, '\u{1f600}b', '\u{1f600}b'],
    [{ type: 'text' }, '', null],
    [{ type: 'email' }, '  ', null],
    [{ type: 'number' }, null, null],
  ])('%j %j', (type, raw, expected) =>
    expect(normaliseValue(type, raw)).toEqual({ ok: true, value: expected }),
  );
});

describe('values that are refused, never guessed', () => {
  test.each<[FieldType, unknown, string]>([
    [{ type: 'email' }, 'zoe', 'field-email'],
    [{ type: 'email' }, 'a@b@example.com', 'field-email'],
    [{ type: 'email' }, 'a b@example.com', 'field-email'],
    [{ type: 'email' }, 'a@localhost', 'field-email'],
    [{ type: 'email' }, `${'a'.repeat(65)}@example.com`, 'field-email'],
    [{ type: 'email' }, 7, 'field-type'],
    [{ type: 'domain' }, '10.0.0.1', 'field-domain'],
    [{ type: 'domain' }, 'acme', 'field-domain'],
    [{ type: 'domain' }, 'user@acme.example', 'field-domain'],
    [{ type: 'phone' }, '4155550100', 'field-phone'],
    [us, 'call me', 'field-phone'],
    [us, '911', 'field-phone'],
    [{ type: 'date' }, '2026-02-30', 'field-date'],
    [{ type: 'date' }, '2026-03-31T16:00:00-07:00', 'field-date'],
    [{ type: 'date' }, 1774915200001, 'field-date'],
    [{ type: 'instant' }, '2026-03-31T16:00:00', 'field-instant'],
    [{ type: 'instant' }, '2026-03-31T25:00:00Z', 'field-instant'],
    [{ type: 'instant' }, '2026-02-30T10:00:00Z', 'field-instant'],
    [{ type: 'instant' }, true, 'field-type'],
    [stage, 'open', 'field-option'],
    [{ type: 'number' }, Number.NaN, 'field-number'],
    [{ type: 'number' }, '0x10', 'field-number'],
    [{ type: 'number' }, '1e999', 'field-number'],
    [{ type: 'number' }, true, 'field-type'],
    [{ type: 'boolean' }, 'yes', 'field-boolean'],
    [{ type: 'text' }, ['a'], 'field-type'],
    [{ type: 'text' }, 5, 'field-type'],
    [{ type: 'text' }, 'a\ud800', 'field-text'],
    [{ type: 'text' }, 'a\0', 'field-text'],
    [{ type: 'text', max: 3 }, 'four', 'field-too-long'],
  ])('%j %j is %s', (type, raw, code) => {
    const result = normaliseValue(type, raw);
    expect(result).toMatchObject({ ok: false, code });
    if (!result.ok && typeof raw === 'string') expect(result.detail).not.toContain(raw);
  });
});

test('fields are read one by one; faults never take their neighbours with them', () => {
  const raw: unknown = JSON.parse(
    '{"email":"A@Example.com","phone":"?","__proto__":1,"constructor":1,"stage":null}',
  );
  const types = { email: { type: 'email' }, phone: us, stage } as const;
  const { fields, faults } = normaliseFields(types, {
    ...(raw as Record<string, unknown>),
    email: 'A@Example.com',
    gone: undefined,
  });
  expect(fields).toEqual({ email: 'a@example.com', stage: null });
  expect(faults.map(({ field, code }) => [field, code])).toEqual([
    ['phone', 'field-phone'],
    ['__proto__', 'unknown-field'],
    ['constructor', 'unknown-field'],
  ]);
});

describe('properties', () => {
  const types: FieldType[] = [
    { type: 'email' },
    { type: 'domain' },
    us,
    { type: 'date' },
    { type: 'instant' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'text', max: 4, overflow: 'truncate' },
  ];
  const raw = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.emailAddress(),
    fc.domain().map((domain) => `https://WWW.${domain}/x`),
    fc.stringMatching(/^[+(]?[0-9 ()-]{7,16}( x[0-9]{1,4})?$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.double().map(String),
    fc.boolean().map(String),
  );

  test('what was normalised once stays as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), raw, (type, value) => {
        const once = normaliseValue(type, value);
        if (once.ok) expect(normaliseValue(type, once.value)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  test('two addresses that differ in more than case and space are never joined', () => {
    const local = fc.stringMatching(/^[a-z0-9]([a-z0-9.+_-]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(local, local, fc.domain(), (a, b, domain) => {
        fc.pre(a !== b);
        const read = (name: string) => normaliseValue({ type: 'email' }, `${name}@${domain}`);
        expect(read(a)).not.toEqual(read(b));
      }),
    );
  });

  test('international labels agree with the platform', () => {
    const label = fc.string({
      unit: fc.constantFrom('a', 'z', '7', '\u00e9', '\u00fc', '\u0436', '\u4e2d', '\u{2070e}'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(label, (text) => {
        const expected = domainToASCII(`${text}.example`);
        fc.pre(expected !== '');
        expect(asciiHostName(`${text}.example`)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
