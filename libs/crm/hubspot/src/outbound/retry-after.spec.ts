import { retryAfterMs } from './retry-after.js';

const nowMs = Date.parse('2026-03-31T10:00:00.500Z');
const date = (text: string) => ({ 'retry-after': text, date: 'Tue, 31 Mar 2026 10:00:00 GMT' });

describe('retryAfterMs', () => {
  it.each([
    ['seconds', { 'retry-after': '3' }, 3_000],
    ['blanks around', { 'retry-after': ' 3 ' }, 3_000],
    ['a fraction, never shortened', { 'retry-after': '1.0005' }, 1_001],
    ['zero is at least a second', { 'retry-after': '0' }, 1_000],
    ['a whole day', { 'retry-after': '86400' }, 86_400_000],
    ['a date, by the clock of the answer', date('Tue, 31 Mar 2026 10:00:07 GMT'), 7_000],
    ['a date without Date header', { 'retry-after': 'Tue, 31 Mar 2026 10:00:07 GMT' }, 6_500],
  ])('%s', (_name, headers, waitMs) => {
    expect(retryAfterMs({ kind: 'answer', status: 429, headers, body: '' }, nowMs)).toBe(
      nowMs + waitMs,
    );
  });

  it.each([
    ['missing', {}],
    ['empty', { 'retry-after': '' }],
    ['no number', { 'retry-after': 'soon' }],
    ['negative', { 'retry-after': '-5' }],
    ['with a unit', { 'retry-after': '3s' }],
    ['an infinity', { 'retry-after': '1e999' }],
    ['more than a day', { 'retry-after': '86401' }],
    ['digits without end', { 'retry-after': '9'.repeat(400) }],
    ['a date in the past', date('Tue, 31 Mar 2026 09:59:59 GMT')],
    ['a date next year', date('Wed, 31 Mar 2027 10:00:00 GMT')],
    ['another form of date', date('2026-03-31T10:00:07Z')],
    ['no date', date('Tue, 99 Mar 2026 10:00:07 GMT')],
  ])('makes no sense: %s', (_name, headers: Record<string, string>) => {
    expect(retryAfterMs({ kind: 'answer', status: 429, headers, body: '' }, nowMs)).toBeUndefined();
  });
});
