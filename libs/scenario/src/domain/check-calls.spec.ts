import type { CallsCheck } from '../format/checks.js';
import { checkCalls } from './check-calls.js';
import type { CrmCall } from './evidence.js';

const call = (n: number, atMs: number, kind: string, status = 200): CrmCall => ({
  n,
  atMs,
  answeredAtMs: atMs + 10,
  method: 'POST',
  path: `/crm/v3/objects/${kind === 'associate' ? 'meetings' : 'contacts'}`,
  kind,
  status,
  fault: null,
  items: 1,
});
const calls = [
  call(1, 0, 'search'),
  call(2, 100, 'create', 429),
  call(3, 3200, 'create'),
  call(4, 3300, 'associate'),
  call(5, 3400, 'read'),
];
const marks = new Map([['mid', { atMs: 3250, callNumbers: { crm: 3 }, position: 0 }]]);
const measured = (check: CallsCheck) => checkCalls(check, 'crm', calls, marks).measured;

test.each<[string, CallsCheck, string]>([
  ['every call', { count: 5 }, '5'],
  ['writes are neither searches nor reads', { kind: 'write', count: 3 }, '3'],
  ['one kind', { kind: 'create', count: 2 }, '2'],
  ['by status', { status: 429, count: 1 }, '1'],
  ['by path', { path: 'meetings', count: 1 }, '1'],
  ['since a mark', { since: 'mid', kind: 'write', count: 1 }, '1'],
  ['until a mark', { until: 'mid', count: 3 }, '3'],
  ['quiet after a throttle', { after: { status: 429 }, forMs: 3000, count: 0 }, '0'],
  [
    'but for what was on its way',
    { after: { status: 429 }, forMs: 3400, graceMs: 3250, count: 1 },
    '1',
  ],
  ['all after a throttle', { after: { status: 429 }, count: 3 }, '3'],
  ['busiest span', { busiestMs: 150, count: { max: 2 } }, '2'],
])('%s', (_, check, expected) => {
  expect(measured(check)).toBe(expected);
  expect(checkCalls(check, 'crm', calls, marks).ok).toBe(true);
});

test('a span that never began is no pass', () => {
  const finding = checkCalls({ after: { status: 503 }, count: 0 }, 'crm', calls, marks);
  expect(finding).toEqual({
    expected: '0 calls, after calls answered 503',
    measured: 'no call with calls answered 503',
    ok: false,
  });
});
