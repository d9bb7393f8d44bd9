import { readJson } from './raw-json.js';

describe('readJson', () => {
  it.each([
    ['[{"a":1}]', [{ a: 1 }]],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    [
      '[18446744073709551615,-9223372036854775808]',
      ['18446744073709551615', '-9223372036854775808'],
    ],
    ['{"a":"9007199254740993 \\" 9007199254740993"}', { a: '9007199254740993 " 9007199254740993' }],
    ['[1.5,1e3,-0.25]', [1.5, 1000, -0.25]],
    ['[1e999]', ['1e999']],
    ['"\\ud800"', '\ud800'],
  ])('%s', (text, value) => {
    expect(readJson(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    '[',
    '{"a":}',
    '[1,]',
    'NaN',
    '[Infinity]',
    '--1',
    '"torn',
    '"torn\\',
    '01234567890123456789',
    ']',
  ])('refuses %j', (text) => {
    expect(readJson(text)).toEqual({ ok: false, code: 'malformed-json' });
  });

  it('refuses deep nesting before it is built', () => {
    expect(readJson('['.repeat(16) + ']'.repeat(16)).ok).toBe(true);
    expect(readJson('['.repeat(17) + ']'.repeat(17))).toEqual({ ok: false, code: 'too-deep' });
    expect(readJson('{"a":'.repeat(500_000))).toEqual({ ok: false, code: 'too-deep' });
  });

  it('keeps __proto__ a plain key', () => {
    const reading = readJson('{"__proto__":{"polluted":true}}');
    expect(reading.ok && Object.keys(Object(reading.value))).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each([
    ['an unterminated string of escapes', '"' + '\\"'.repeat(500_000)],
    ['nothing but quotes', '"'.repeat(1_000_001)],
    ['one endless number', '1'.repeat(1_000_000)],
    ['many long numbers', `[${'9007199254740993,'.repeat(60_000)}0]`],
  ])('takes time in proportion to the text: %s', (_name, text) => {
    const startedMs = performance.now();
    readJson(text);
    // A quadratic scan of a mebibyte takes minutes; the bound is far from both.
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });
});
