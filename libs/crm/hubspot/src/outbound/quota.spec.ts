import { quotaPause } from './quota.js';

const nowMs = Date.parse('2026-03-31T10:00:00Z');
const midnightMs = Date.parse('2026-04-01T00:00:00Z');
const pause = (headers: Record<string, string>) =>
  quotaPause({ kind: 'answer', status: 200, headers, body: '' }, nowMs);
const window = (remaining: string, intervalMs = '10000') => ({
  'x-hubspot-ratelimit-max': '100',
  'x-hubspot-ratelimit-remaining': remaining,
  'x-hubspot-ratelimit-interval-milliseconds': intervalMs,
});

describe('quotaPause', () => {
  it.each([
    ['no headers, as search answers', {}, null],
    ['some left', window('1'), null],
    ['none left', window('0'), { untilMs: nowMs + 10_000, reason: 'limit-window' }],
    ['none left of an unknown window', { 'x-hubspot-ratelimit-remaining': '0' }, null],
    ['none left of an absurd window', window('0', '9999999999'), null],
    ['no number', window('none'), null],
    ['an empty header', window(''), null],
    [
      'none left of the day',
      { ...window('50'), 'x-hubspot-ratelimit-daily-remaining': '0' },
      { untilMs: midnightMs, reason: 'limit-daily' },
    ],
  ])('%s', (_name, headers, expected) => {
    expect(pause(headers)).toEqual(expected);
  });
});
