import { RateLimiter } from './rate-limiter.js';

const NONE = { perTenSeconds: null, perSecond: null, searchPerSecond: null, perDay: null };

describe('rate limiter', () => {
  it('slides: a full window opens one call at a time, to the millisecond', () => {
    const limiter = new RateLimiter();
    const limits = { ...NONE, perTenSeconds: 2 };
    expect(limiter.take(limits, false, 0)).toBeNull();
    expect(limiter.take(limits, false, 4_000)).toBeNull();
    expect(limiter.take(limits, false, 9_999)).toBe('TEN_SECONDLY_ROLLING');
    expect(limiter.take(limits, false, 10_000)).toBeNull();
    expect(limiter.take(limits, false, 13_999)).toBe('TEN_SECONDLY_ROLLING');
    expect(limiter.take(limits, false, 14_000)).toBeNull();
  });

  it.each([
    ['per second', { ...NONE, perSecond: 1 }, false, 'SECONDLY'],
    ['search per second', { ...NONE, searchPerSecond: 1 }, true, 'SECONDLY'],
    ['per day', { ...NONE, perDay: 1 }, false, 'DAILY'],
  ] as const)('names the full window: %s', (_name, limits, isSearch, policy) => {
    const limiter = new RateLimiter();
    expect(limiter.take(limits, isSearch, 0)).toBeNull();
    expect(limiter.take(limits, isSearch, 1)).toBe(policy);
  });

  it('lets other calls pass when search is full', () => {
    const limiter = new RateLimiter();
    const limits = { ...NONE, searchPerSecond: 0 };
    expect(limiter.take(limits, true, 0)).toBe('SECONDLY');
    expect(limiter.take(limits, false, 0)).toBeNull();
  });

  it('tells what is left, except on searches', () => {
    const limiter = new RateLimiter();
    const limits = { ...NONE, perTenSeconds: 5 };
    limiter.take(limits, false, 0);
    expect(limiter.headers(limits, false, 1)).toMatchObject({
      'X-HubSpot-RateLimit-Max': '5',
      'X-HubSpot-RateLimit-Remaining': '4',
    });
    expect(limiter.headers(limits, true, 1)).toEqual({});
  });
});
