import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isSameProcess, parseStat, startTimeOf } from '../lib/proc.mjs';
import {
  end,
  failWhenDead,
  isAlive,
  launch,
  logFile,
  recordFile,
  recordOf,
  signal,
  writeJson,
} from '../lib/processes.mjs';
import { stackPaths } from '../lib/stack-paths.mjs';
import { until } from '../lib/until.mjs';

const root = mkdtempSync(join(tmpdir(), 'counterpart-dev-'));
const paths = stackPaths('scratch', root);
const env = { PATH: process.env.PATH };
const within = { timeoutMs: 10_000, everyMs: 10 };
after(() => rmSync(root, { recursive: true, force: true }));

const node = (script) => ({ args: [process.execPath, '-e', script], env });
const FOREVER = 'console.log("here"); setInterval(() => {}, 1000)';

test('a name with brackets and spaces does not confuse the start time', () => {
  const before = '12 (a) b (c) S 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0';
  assert.deepEqual(parseStat(`${before} 98765 1000 2`), { state: 'S', startTime: '98765' });
});

test('a process is the recorded one only while its start time is the same', () => {
  const mine = { pid: process.pid, startTime: startTimeOf(process.pid) };
  assert.equal(isSameProcess(mine), true);
  assert.equal(isSameProcess({ ...mine, startTime: '1' }), false);
  assert.equal(isSameProcess(undefined), false);
});

test('a launched process is recorded, logs, and ends when told', async () => {
  launch(paths, 'worker', node(FOREVER));
  assert.equal(isAlive(paths, 'worker'), true);
  await until(
    'output',
    () => readFileSync(logFile(paths, 'worker'), 'utf8').includes('here'),
    within,
  );
  assert.equal(await end(paths, 'worker'), true);
  assert.equal(isAlive(paths, 'worker'), false);
  assert.equal(recordOf(paths, 'worker'), undefined);
  assert.equal(await end(paths, 'worker'), false);
});

test('a stranger with a recycled pid is never signalled', async () => {
  launch(paths, 'stranger', node(FOREVER));
  const record = recordOf(paths, 'stranger');
  writeJson(recordFile(paths, 'stranger'), { ...record, startTime: '1' });
  assert.equal(signal(paths, 'stranger', 'SIGKILL'), false);
  assert.equal(await end(paths, 'stranger'), false);
  assert.equal(startTimeOf(record.pid), record.startTime);
  writeJson(recordFile(paths, 'stranger'), record);
  await end(paths, 'stranger', 'SIGKILL');
});

test('a paused process ends too', async () => {
  launch(paths, 'paused', node(FOREVER));
  assert.equal(signal(paths, 'paused', 'SIGSTOP'), true);
  assert.equal(isAlive(paths, 'paused'), true);
  assert.equal(await end(paths, 'paused'), true);
});

test('waiting for a process that died ends at once and shows its last words', async () => {
  launch(paths, 'doomed', node('console.error("no such topic"); process.exit(3)'));
  const giveUp = failWhenDead(paths, 'doomed');
  await assert.rejects(
    until('doomed', () => false, { timeoutMs: 60_000, everyMs: 10, giveUp }),
    /doomed ended before it was ready[^]*no such topic/,
  );
});

test('a wait that runs out says what it waited for and why', async () => {
  const attempt = async () => {
    throw new Error('refused');
  };
  await assert.rejects(until('the door', attempt, { timeoutMs: 20, everyMs: 5 }), {
    message: 'the door: nothing after 0.02 s (refused)',
  });
});
