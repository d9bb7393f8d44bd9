import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { mustRun, which } from '../command.mjs';
import { Fault } from '../fault.mjs';
import { launch } from '../processes.mjs';
import { until } from '../until.mjs';

/** Redis without persistence: it holds nothing that may not be lost. */
export const redis = {
  name: 'redis',
  ports: ['redis'],
  stopSignal: 'SIGTERM',
  async install({ say }) {
    if (which('redis-server')) return;
    await installOnDebian(say);
  },
  async launch({ paths, ports }) {
    const folder = join(paths.data, 'redis');
    await mkdir(folder, { recursive: true });
    const network = ['--port', String(ports.redis), '--bind', '127.0.0.1'];
    const noPersistence = ['--save', '', '--appendonly', 'no'];
    launch(paths, 'redis', {
      args: [which('redis-server'), ...network, ...noPersistence, '--dir', folder],
      env: { PATH: process.env.PATH },
    });
  },
  async ready({ ports, giveUp }) {
    await until('Redis', () => answersPing(ports.redis), { timeoutMs: 20_000, giveUp });
  },
};

async function installOnDebian(say) {
  const mayInstall = process.getuid?.() === 0 && which('apt-get');
  if (!mayInstall) {
    throw new Fault(
      'redis-server is missing; install Redis 6.2 or newer (Debian: apt-get install redis-server) or start a docker engine with compose.',
    );
  }
  say('installing redis-server (apt-get)');
  // Run level 1 keeps the package from starting a server of its own on this machine.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = ['apt-get', '-q', '-y', '-o', 'DPkg::Lock::Timeout=120'];
  await mustRun([...apt, 'update'], { env });
  await mustRun([...apt, 'install', '--no-install-recommends', 'redis-server'], { env });
}

/** Whether PING is answered with PONG. */
export function answersPing(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 });
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer.toString() === '+PONG\r\n');
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer to PING')));
  });
}
