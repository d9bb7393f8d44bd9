import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isTotalsLine,
  jestCounts,
  jestFailures,
  judgePiece,
  sumCounts,
  tapCounts,
  totalsLine,
} from '../lib/test-counts.mjs';

const jest = (passed, failed, broken, success) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numRuntimeErrorTestSuites: broken,
  success,
});

for (const [name, result, expected] of [
  ['all well', jest(5, 0, 0, true), { passed: 5, failed: 0 }],
  ['failed tests', jest(5, 2, 0, false), { passed: 5, failed: 2 }],
  ['a file that could not run', jest(5, 0, 1, false), { passed: 5, failed: 1 }],
  ['failed as a whole', jest(5, 0, 0, false), { passed: 5, failed: 1 }],
  ['no result', null, undefined],
]) {
  test(`jest: ${name}`, () => assert.deepEqual(jestCounts(result), expected));
}

test('node: the summary at the end of TAP, cancelled tests are failures', () => {
  const text = '# tests 7\n# suites 0\n# pass 4\n# fail 1\n# cancelled 2\n# skipped 0\n';
  assert.deepEqual(tapCounts(text), { passed: 4, failed: 3 });
  assert.equal(tapCounts('ok 1 - something'), undefined);
});

test('scenarios: the last line of totals, not a sentence that looks like one', () => {
  const text = 'act 1: 3 passed, 0 failed so far\n1 passed, 0 failed\n  12 passed, 1 failed  \nbye';
  assert.deepEqual(totalsLine(text), { passed: 12, failed: 1 });
  assert.equal(totalsLine('nothing'), undefined);
  assert.deepEqual(['3 passed, 0 failed', 'x 3 passed, 0 failed'].map(isTotalsLine), [true, false]);
});

for (const [name, seen, expected] of [
  ['good', { counts: { passed: 2, failed: 0 }, code: 0 }, { passed: 2, failed: 0 }],
  ['silent', { counts: undefined, code: 0 }, { passed: 0, failed: 1 }],
  ['died after its tests', { counts: { passed: 2, failed: 0 }, code: 1 }, { passed: 2, failed: 1 }],
  ['failed', { counts: { passed: 2, failed: 3 }, code: 1 }, { passed: 2, failed: 3 }],
]) {
  test(`a piece that is ${name}`, () => assert.deepEqual(judgePiece(seen), expected));
}

test('totals are sums', () => {
  const pieces = [
    { name: 'a', passed: 1, failed: 2 },
    { name: 'b', passed: 3, failed: 0 },
  ];
  assert.deepEqual(sumCounts(pieces), { passed: 4, failed: 2 });
});

test('what failed is shown with the start of its message', () => {
  const failed = { status: 'failed', fullName: 'a b', failureMessages: ['one\ntwo\nthree'] };
  const passed = { status: 'passed', fullName: 'c', failureMessages: [] };
  const broken = {
    name: 'x.spec.ts',
    status: 'failed',
    message: 'cannot parse',
    assertionResults: [],
  };
  const result = {
    testResults: [{ status: 'failed', assertionResults: [failed, passed] }, broken],
  };
  assert.deepEqual(jestFailures(result, 2), ['a b\none\ntwo', 'x.spec.ts\ncannot parse']);
});
