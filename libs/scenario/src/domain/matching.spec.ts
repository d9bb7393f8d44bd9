import { conditionText, countOk, countText, holds } from './matching.js';

test.each([
  [3, 3, true, '3'],
  [3, 4, false, '3'],
  [{ min: 1 }, 0, false, 'at least 1'],
  [{ max: 5 }, 5, true, 'at most 5'],
  [{ min: 1, max: 5 }, 6, false, '1 to 5'],
])('count %j against %d', (count, measured, ok, text) => {
  expect(countOk(count, measured)).toBe(ok);
  expect(countText(count)).toBe(text);
});

const record = {
  id: '7',
  properties: { phone: '+1 415', size: '5' },
  note: '',
  fields: { 'a.b': 1 },
};

test.each([
  ['equal', { id: 7 }, true],
  ['dotted', { 'properties.phone': '+1 415' }, true],
  ['a name with a dot', { 'fields.a.b': 1 }, true],
  ['number as text', { 'properties.size': 5 }, true],
  ['empty text is null', { note: null }, true],
  ['missing is null', { nothing: null }, true],
  ['not', { id: { not: 8 } }, true],
  ['one of', { id: { oneOf: [6, 8] } }, false],
  ['matches', { 'properties.phone': { matches: '^\\+1' } }, true],
  ['present', { note: { present: true } }, false],
])('%s', (_, wanted, ok) => {
  expect(holds(wanted, record)).toBe(ok);
});

test('a condition reads as a sentence', () => {
  expect(conditionText({ email: 'a@b.c', phone: null, size: { not: 1 } })).toBe(
    'email a@b.c, phone (empty), size {"not":1}',
  );
});
