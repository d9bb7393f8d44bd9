import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addressTable } from '../lib/addresses.mjs';
import { composePorts } from '../lib/engine-compose.mjs';
import { describeStack, writeEnvFile } from '../lib/env-file.mjs';
import { engineOf } from '../lib/infra.mjs';
import { isInstalled } from '../lib/install.mjs';
import { withStackLock } from '../lib/lock.mjs';
import { serverProperties } from '../lib/parts/kafka.mjs';
import { portsFor } from '../lib/ports.mjs';
import { SERVICES, serviceEnv } from '../lib/service-specs.mjs';
import { requireAction } from '../lib/stack.mjs';
import { readStackOptions } from '../lib/stack-options.mjs';
import { cacheRoot, stackPaths } from '../lib/stack-paths.mjs';

const root = mkdtempSync(join(tmpdir(), 'counterpart-dev-'));
const paths = stackPaths('scratch', root);
after(() => rmSync(root, { recursive: true, force: true }));

const ports = portsFor(0, {});
const stack = describeStack({ paths, ports, engine: 'local', hasJaeger: true });

for (const name of ['', 'Dev', '../x', '-a', 'a'.repeat(40)]) {
  test(`"${name}" cannot name a stack`, () => {
    assert.throws(() => stackPaths(name, root), { name: 'Fault' });
  });
}

test('the cache is where the variable says', () => {
  assert.equal(cacheRoot({ COUNTERPART_CACHE: '/c' }), '/c');
});

test('each service gets its own database role and nothing of the developer', () => {
  const outer = { PATH: '/bin', AWS_SECRET: 'x', LOG_LEVEL: 'debug' };
  const ingest = serviceEnv('ingest', stack, 'ingest-1', outer);
  assert.match(ingest.DATABASE_URL, /^postgres:\/\/ingest:ingest@/);
  assert.equal(ingest.PUBLIC_URL, 'http://127.0.0.1:27001');
  assert.equal(ingest.REDIS_URL, undefined);
  assert.equal(ingest.AWS_SECRET, undefined);
  assert.equal(ingest.LOG_LEVEL, 'debug');
  const second = serviceEnv('sync-writer-2', stack, 'w-2', outer);
  assert.equal(second.HTTP_PORT, '27013');
  assert.match(second.DATABASE_URL, /sync_writer:sync_writer@/);
  assert.equal(second.REDIS_URL, 'redis://127.0.0.1:26379');
  assert.equal(second.OTLP_URL, 'http://127.0.0.1:4318/v1/traces');
});

test('the simulated CRM knows of nothing but its own address', () => {
  const env = serviceEnv('crm-sim', stack, 'sim', { PATH: '/bin' });
  assert.deepEqual(Object.keys(env).sort(), ['HTTP_HOST', 'HTTP_PORT', 'LOG_LEVEL', 'PATH', 'TZ']);
});

test('the table of addresses lists what runs', () => {
  const table = addressTable({ ...stack, processes: { ingest: { pid: 1 } } });
  assert.match(table, /ingest +http:\/\/127\.0\.0\.1:27001/);
  assert.match(table, /jaeger +http/);
  assert.doesNotMatch(table, /dedupe/);
});

test('a second command on the same stack is refused while the first is at it, and not after', async () => {
  await withStackLock(paths, async () => {
    await assert.rejects(
      withStackLock(paths, async () => {}),
      /being started or stopped by process/,
    );
  });
  assert.equal(await withStackLock(paths, async () => 'free'), 'free');
});

test('env.json is written with the processes of this moment', () => {
  assert.deepEqual(writeEnvFile(paths, stack).processes, {});
});

for (const [name, action, process, sentence] of [
  ['unknown name', 'stop', 'redsi', /There is no process "redsi"; choose one of/],
  [
    'unknown action',
    'explode',
    'ingest',
    /"explode" cannot be done to ingest; choose one of start/,
  ],
  ['a part cannot be paused', 'pause', 'kafka', /choose one of start, stop, restart\.$/],
]) {
  test(`control: ${name}`, () => {
    assert.throws(() => requireAction(action, process), { name: 'Fault', message: sentence });
  });
}

test('control: every service can be killed', () => {
  for (const name of Object.keys(SERVICES)) requireAction('kill', name);
});

test('an engine that does not exist is said so', async () => {
  await assert.rejects(
    engineOf(undefined, { COUNTERPART_ENGINE: 'vm' }),
    /set it to local or compose/,
  );
  assert.equal((await engineOf({ engine: 'compose' }, {})).kind, 'compose');
});

test('both engines serve on the same ports', () => {
  assert.equal(composePorts(ports).KAFKA_PORT, '29092');
  assert.match(
    serverProperties(ports, '/d'),
    /advertised\.listeners=PLAINTEXT:\/\/127\.0\.0\.1:29092/,
  );
});

const entry = (version, more) => ({ version, integrity: `sha-${version}`, ...more });
const lock = (packages) => ({ packages: { '': {}, 'libs/a': {}, ...packages } });

for (const [name, installed, expected] of [
  ['never installed', undefined, false],
  ['the same', lock({ 'node_modules/a': entry('1') }), true],
  ['another version', lock({ 'node_modules/a': entry('2') }), false],
  ['one missing', lock({}), false],
]) {
  test(`packages are ${expected ? '' : 'not '}installed: ${name}`, () => {
    const foreign = { 'node_modules/mac-only': entry('1', { optional: true }) };
    const wanted = lock({ 'node_modules/a': entry('1'), ...foreign });
    assert.equal(isInstalled(wanted, installed), expected);
  });
}

test('options: only what can be started on demand', () => {
  const argv = process.argv;
  process.argv = ['node', 'x', '--with', 'zipkin'];
  try {
    assert.throws(
      () => readStackOptions({ usage: 'u', stack: 'dev' }, {}),
      /takes jaeger, not "zipkin"/,
    );
  } finally {
    process.argv = argv;
  }
});
