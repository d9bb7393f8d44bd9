import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStackControl, instancesOf } from './stack-control.js';

const services = { 'sync-writer': 'a', 'sync-writer-2': 'b', 'sync-writer-old': 'c', ingest: 'd' };
const env = {
  name: 'dev',
  kafkaBrokers: [],
  schemaRegistryUrl: '',
  redisUrl: '',
  services,
  secretsDir: '',
};

test('a name stands for its instances, and for nothing that only begins like it', () => {
  expect(instancesOf(env, 'sync-writer')).toEqual(['sync-writer', 'sync-writer-2']);
  expect(instancesOf(env, 'sync-writer-2')).toEqual(['sync-writer-2']);
  expect(() => instancesOf(env, 'writer')).toThrow('no service');
});

describe('with a launcher that only writes down its orders', () => {
  const root = mkdtempSync(join(tmpdir(), 'launcher-'));
  const orders = (): readonly string[] =>
    readFileSync(join(root, 'orders'), 'utf8').trim().split('\n').sort();
  beforeAll(() => {
    mkdirSync(join(root, 'tools/dev/bin'), { recursive: true });
    writeFileSync(
      join(root, 'tools/dev/bin/service.mjs'),
      `import { appendFileSync } from 'node:fs';
       appendFileSync('orders', process.argv.slice(2).join(' ') + '\\n');`,
    );
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('what was taken down and not brought back is healed, once', async () => {
    const control = createStackControl(root, env);
    await control.service('kill', 'sync-writer');
    await control.service('restart', 'sync-writer-2');
    await control.infra('stop', 'redis');
    await control.service('pause', 'ingest');
    await control.heal();
    await control.heal();
    expect(orders()).toEqual([
      'dev kill sync-writer',
      'dev kill sync-writer-2',
      'dev pause ingest',
      'dev restart sync-writer-2',
      'dev resume ingest',
      'dev start redis',
      'dev start sync-writer',
      'dev stop redis',
    ]);
  });
});

test('flushing speaks to Redis in its own words', async () => {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('data', (part) => {
      heard += part.toString();
      socket.write('+OK\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await createStackControl('/nowhere', {
    ...env,
    redisUrl: `redis://127.0.0.1:${port}`,
  }).flushRedis();
  expect(heard).toBe('*1\r\n$8\r\nFLUSHALL\r\n');
  await new Promise((resolve) => server.close(resolve));
});
