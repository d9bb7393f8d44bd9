import { verdictTable } from './verdict.js';

test('a table lines up, whatever the letters', () => {
  const table = verdictTable([
    { name: 'contacts', expected: '1', measured: '1', ok: true },
    { name: 'zoë'.normalize('NFD'), expected: 'at least 3', measured: '2', ok: false },
  ]);
  expect(table.split('\n')).toEqual([
    '    check     expected    measured',
    '──  ────────  ──────────  ────────',
    'ok  contacts  1           1',
    `NO  ${'zoë'.normalize('NFD')}       at least 3  2`,
  ]);
});

test('labels become a column; long cells are cut', () => {
  const table = verdictTable([
    { label: '1', name: 'x'.repeat(90), expected: '1', measured: '1', ok: true },
  ]);
  expect(table).toContain('act');
  expect(table).toContain(`${'x'.repeat(63)}…`);
});
