import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  javaMajor,
  requireDisk,
  requireGo,
  requireJava,
  requireMaven,
  requireNode,
  requireWhole,
} from '../lib/needs.mjs';

const JAVA_17 = 'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment';
const JAVA_8 = 'java version "1.8.0_292"';

/** Each row: what was seen, and what the one sentence must say, or undefined when all is well. */
const ROWS = [
  ['node of today', () => requireNode('20.19.0'), undefined],
  ['newer node', () => requireNode('22.1.0'), undefined],
  ['old minor', () => requireNode('20.18.3'), /^Node 20\.18\.3 is too old; install Node 20\.19/],
  ['old major', () => requireNode('18.20.0'), /^Node 18\.20\.0 is too old/],
  ['java 17', () => requireJava(JAVA_17), undefined],
  ['java 8', () => requireJava(JAVA_8), /needs Java 17 and this one is 8; install/],
  ['no java', () => requireJava(undefined), /there is none; install Java 17/],
  ['java that says nothing', () => requireJava('what?'), /this one is unknown; install/],
  ['maven', () => requireMaven('/usr/bin/mvn', 'Kafka'), undefined],
  [
    'no maven',
    () => requireMaven(undefined, 'Kafka 4'),
    /^Kafka 4 is not in the cache.*install it/,
  ],
  ['no go', () => requireGo(undefined), /install Go.*or leave out --with jaeger/],
  ['room on disk', () => requireDisk(2 * 1024 ** 3, '/x'), undefined],
  [
    'disk full',
    () => requireDisk(1024 ** 3, '/x'),
    /Only 1\.0 GB are free where \/x lies.*free some/,
  ],
];

for (const [name, check, sentence] of ROWS) {
  test(`${name}: ${sentence ? 'one sentence that says what to do' : 'goes on'}`, () => {
    if (!sentence) return assert.doesNotThrow(check);
    return assert.throws(check, (error) => {
      assert.equal(error.name, 'Fault');
      assert.match(error.message, sentence);
      assert.ok(error.message.endsWith('.') && !error.message.includes('\n'));
      return true;
    });
  });
}

test('the major version of Java is read from both ways of numbering', () => {
  assert.deepEqual([JAVA_17, JAVA_8, 'nothing'].map(javaMajor), [17, 8, undefined]);
});

test('a stack is wholly up or wholly down, else it says how to repair it', () => {
  assert.equal(requireWhole('dev', { redis: false, kafka: false }), 'none');
  assert.equal(requireWhole('dev', { redis: true, kafka: true }), 'all');
  assert.throws(
    () => requireWhole('dev', { redis: true, kafka: false }),
    /half running \(up: redis; down: kafka\); run npm run down -- --stack dev/,
  );
});
