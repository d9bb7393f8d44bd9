import { classifyAnswer, classifyItem } from './classify.js';

const nowMs = Date.parse('2026-03-31T10:00:00Z');
const classify = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  classifyAnswer(
    {
      kind: 'answer',
      status,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    nowMs,
  );
const error = (category: string, more: object = {}) => ({
  status: 'error',
  message: 'canary-4711 said no',
  correlationId: 'c0ffee-1',
  category,
  ...more,
});
const nested = (code: string, property?: string) => ({
  errors: [{ message: 'canary-4711', code, context: property ? { propertyName: [property] } : {} }],
});

describe('classifyAnswer: refused', () => {
  it.each([
    [400, error('VALIDATION_ERROR'), { code: 'invalid', field: null }],
    [
      400,
      error('VALIDATION_ERROR', nested('INVALID_OPTION', 'phone')),
      { code: 'invalid-field', field: 'phone' },
    ],
    [
      400,
      error('VALIDATION_ERROR', nested('PROPERTY_DOESNT_EXIST', 'x')),
      { code: 'invalid-field', field: 'x' },
    ],
    [
      400,
      error('VALIDATION_ERROR', nested('CONFLICTING_UNIQUE_VALUE', 'counterpart_key')),
      { code: 'already-exists', field: 'counterpart_key', existingId: null },
    ],
    [401, error('EXPIRED_AUTHENTICATION'), { code: 'credentials' }],
    [401, '<html>', { code: 'credentials' }],
    [403, error('MISSING_SCOPES'), { code: 'permission' }],
    [403, '<html>blocked</html>', { code: 'permission' }],
    [404, error('OBJECT_NOT_FOUND'), { code: 'not-found' }],
    [
      400,
      error('VALIDATION_ERROR', { context: { INVALID_OBJECT_IDS: ['CONTACT=7 is not valid'] } }),
      { code: 'not-found' },
    ],
    [400, error('VALIDATION_ERROR', nested('INVALID_OBJECT_IDS')), { code: 'not-found' }],
    [404, '<html>no such page</html>', { code: 'invalid' }],
    [
      409,
      error('CONFLICT', { message: 'Contact already exists. Existing ID: 12345' }),
      { code: 'already-exists', existingId: '12345' },
    ],
    [
      409,
      error('CONFLICT', { message: 'Another wording' }),
      { code: 'already-exists', existingId: null },
    ],
    [413, '', { code: 'invalid' }],
    [422, error('SOMETHING_NEW'), { code: 'invalid' }],
    [
      400,
      error('VALIDATION_ERROR', { message: 'Existing ID: 12345' }),
      { code: 'invalid', existingId: null },
    ],
  ])('%i %j', (status, body, expected) => {
    expect(classify(status, body)).toMatchObject({ kind: 'refused', ...expected });
  });

  it('names codes and the correlation, never a value', () => {
    const failure = classify(400, error('VALIDATION_ERROR', nested('INVALID_OPTION', 'phone')));
    expect(failure).toMatchObject({
      detail: 'HTTP 400 VALIDATION_ERROR INVALID_OPTION correlation c0ffee-1',
    });
    const smuggled = classify(400, { category: 'canary@4711.example', correlationId: '<canary>' });
    expect(JSON.stringify(smuggled)).not.toContain('canary');
  });
});

describe('classifyAnswer: throttled', () => {
  const limit = (policyName?: string) => ({ status: 'error', errorType: 'RATE_LIMIT', policyName });
  const midnightMs = Date.parse('2026-04-01T00:00:00Z');
  it.each([
    [429, limit('TEN_SECONDLY_ROLLING'), {}, 'limit-ten-secondly', nowMs + 10_000],
    [429, limit('SECONDLY'), {}, 'limit-secondly', nowMs + 1_000],
    [429, limit('DAILY'), {}, 'limit-daily', midnightMs],
    [429, limit(), {}, 'limit', nowMs + 10_000],
    [429, limit('__proto__'), {}, 'limit', nowMs + 10_000],
    [429, '<html>', {}, 'limit', nowMs + 10_000],
    [429, limit('SECONDLY'), { 'retry-after': '3' }, 'limit-secondly', nowMs + 3_000],
    [429, limit('SECONDLY'), { 'retry-after': 'soon' }, 'limit-secondly', nowMs + 1_000],
    [423, error('LOCKED'), {}, 'locked', nowMs + 2_000],
    [477, '', { 'retry-after': '3600' }, 'account-moving', nowMs + 3_600_000],
    [477, '', {}, 'account-moving', nowMs + 60_000],
  ])('%i %j %j', (status, body, headers, code, retryAtMs) => {
    expect(classify(status, body, headers)).toEqual({ kind: 'throttled', code, retryAtMs });
  });
});

describe('classifyAnswer: unknown', () => {
  it.each([408, 500, 502, 503, 504, 521, 522, 523, 524, 302, 100])('%i', (status) => {
    expect(classify(status, '')).toEqual({ kind: 'unknown', code: `http-${status}` });
    const claims = classify(status, error('VALIDATION_ERROR'));
    expect(claims.kind).toBe('unknown');
  });
});

describe('classifyItem', () => {
  it.each([
    [
      error('CONFLICT', { message: 'Contact already exists. Existing ID: 7' }),
      { code: 'already-exists', existingId: '7' },
    ],
    [
      error('VALIDATION_ERROR', nested('INVALID_EMAIL', 'email')),
      { code: 'invalid-field', field: 'email' },
    ],
    [error('OBJECT_NOT_FOUND'), { code: 'not-found' }],
    [error('MISSING_SCOPES'), { code: 'permission' }],
  ])('%j', (body, expected) => {
    expect(classifyItem(body)).toMatchObject({ kind: 'refused', ...expected });
  });

  it.each(['INTERNAL_ERROR', 'RATE_LIMITS', ''])('%j may have been written', (category) => {
    expect(classifyItem(error(category))).toEqual({ kind: 'unknown', code: 'item-error' });
  });
});
