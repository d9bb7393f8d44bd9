import { readJson } from './read-json.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  ['plain JSON', '{"a":[1,"x",null]}', undefined],
  ['no JSON', '{"a":', 'malformed-json'],
  ['NaN is no JSON', '{"a":NaN}', 'malformed-json'],
  ['an empty body', '', 'malformed-json'],
  ['sixteen levels', nested(16), undefined],
  ['seventeen levels', nested(17), 'too-deep'],
  ['ten thousand levels', nested(10_000), 'too-deep'],
  [
    'too many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`k${n}`, 1]))),
    'too-many-keys',
  ],
  ['a key that reaches a prototype', '{"a":{"__proto__":{"admin":true}}}', 'forbidden-key'],
  ['a key called constructor', '{"constructor":1}', 'forbidden-key'],
])('%s', (_name, text, code) => {
  const result = readJson(text);
  expect(result.ok ? undefined : result.code).toBe(code);
});
