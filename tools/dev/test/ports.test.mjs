import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listeningInodes, portTakenSentence, requirePortsFree } from '../lib/port-owner.mjs';
import { DEFAULT_PORTS, offsetOfStack, portsFor, portVariable } from '../lib/ports.mjs';

test('the stacks of our own commands have no port in common', () => {
  const all = ['dev', 'test', 'demo'].flatMap((name) =>
    Object.values(portsFor(offsetOfStack(name), {})),
  );
  assert.equal(new Set(all).size, 3 * Object.keys(DEFAULT_PORTS).length);
});

test('an offset moves every port, a variable sets one', () => {
  const ports = portsFor(10, { COUNTERPART_PORT_SYNC_WRITER_2: '5000' });
  assert.equal(ports.postgres, DEFAULT_PORTS.postgres + 10);
  assert.equal(ports['sync-writer-2'], 5000);
});

test('names of variables', () => {
  assert.deepEqual(['redis', 'sync-writer-2', 'kafkaController'].map(portVariable), [
    'COUNTERPART_PORT_REDIS',
    'COUNTERPART_PORT_SYNC_WRITER_2',
    'COUNTERPART_PORT_KAFKA_CONTROLLER',
  ]);
});

for (const [name, offset, env, sentence] of [
  ['not a number', 0, { COUNTERPART_PORT_REDIS: 'x' }, /COUNTERPART_PORT_REDIS gives redis .* x;/],
  ['out of range', 60000, {}, /--port-offset gives .* 1 to 65535\.$/],
  [
    'twice the same',
    0,
    { COUNTERPART_PORT_REDIS: '29092' },
    /29092 is given to both redis and kafka/,
  ],
]) {
  test(`a port that cannot be: ${name}`, () => {
    assert.throws(() => portsFor(offset, env), { name: 'Fault', message: sentence });
  });
}

test('a taken port names its owner and the ways out', async () => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await assert.rejects(requirePortsFree({ redis: port }), (error) => {
    assert.equal(error.name, 'Fault');
    assert.match(error.message, new RegExp(`^Port ${port}, meant for redis, is taken by `));
    if (process.platform === 'linux') assert.match(error.message, RegExp(`process ${process.pid}`));
    return true;
  });
  await new Promise((resolve) => server.close(resolve));
  await requirePortsFree({ redis: port });
});

test('an owner that cannot be seen is still said', () => {
  assert.match(
    portTakenSentence('kafka', 29092, undefined),
    /taken by another program; stop it, or/,
  );
});

test('listening sockets are found in the kernel table, connected ones are not', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:71A4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1
   1: 0100007F:71A4 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1
   2: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1
`;
  assert.deepEqual(listeningInodes(table, 29092), ['4711']);
});
