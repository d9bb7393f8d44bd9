import { fill, laidOver, UnknownPlaceholder } from './placeholders.js';
import { valueForms } from './value-forms.js';

const values = {
  tenant: 't-1',
  run: 'r9',
  n: 7,
  ids: { spare: '55' },
  more: { 'crm.portalId': '9' },
};

test('every string of a value is filled, keys too', () => {
  const value = {
    'm-{n:4}': ['{tenant}/{run}', 3, null, { id: '{id:spare}', portal: '{crm.portalId}' }],
  };
  expect(fill(value, values)).toEqual({ 'm-0007': ['t-1/r9', 3, null, { id: '55', portal: '9' }] });
});

test('a variant follows the count and comes round again', () => {
  const forms = valueForms('zoë@example.com');
  const all = Array.from({ length: forms.length + 1 }, (_, index) =>
    fill('{variant:zoë@example.com}', { ...values, n: index + 1 }),
  );
  expect(all).toEqual([...forms, forms[0]]);
});

test('all forms mean the same, and at least four differ', () => {
  const forms = valueForms('Zoë.Brontë@example.com');
  expect(new Set(forms).size).toBeGreaterThanOrEqual(6);
  expect(new Set(forms.map((form) => form.trim().normalize('NFC').toLowerCase())).size).toBe(1);
});

test.each(['{nobody}', '{id:lost}'])('%s is refused, not left standing', (text) => {
  expect(() => fill(text, values)).toThrow(UnknownPlaceholder);
});

test('a moment to come, as HTTP writes it, never earlier than asked for', () => {
  const nowMs = Date.UTC(2026, 0, 5, 8, 0, 0, 1);
  expect(fill('{httpDate:3000}', { ...values, nowMs })).toBe('Mon, 05 Jan 2026 08:00:04 GMT');
});

test('braces of JSON in a text are left alone', () => {
  expect(fill('{"changes":[{}]}', values)).toBe('{"changes":[{}]}');
});

test('a change is laid over a template, null takes out', () => {
  expect(laidOver({ a: { b: 1, c: 2 }, d: [1, 2] }, { a: { b: null, e: 3 }, d: [9] })).toEqual({
    a: { c: 2, e: 3 },
    d: [9],
  });
});
