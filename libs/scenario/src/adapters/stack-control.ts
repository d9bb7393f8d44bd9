import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StackControl, StackEnv } from '../application/ports.js';

const run = promisify(execFile);

/** How what an order took down comes back. */
const cures: Readonly<Record<string, string>> = { kill: 'start', stop: 'start', pause: 'resume' };

/** Steers the processes of a stack through the launcher, which knows and owns them. */
export function createStackControl(root: string, env: StackEnv): StackControl {
  const launcher = join(root, 'tools', 'dev', 'bin', 'service.mjs');
  const down = new Map<string, string>();
  const steer = async (action: string, name: string): Promise<void> => {
    const cure = cures[action];
    if (cure !== undefined) down.set(name, cure);
    await run(process.execPath, [launcher, env.name, action, name], { cwd: root });
    if (cure === undefined) down.delete(name);
  };
  return {
    // Side by side: a second instance must not take over while the first is already gone.
    service: async (order, name) => {
      await Promise.all(instancesOf(env, name).map((instance) => steer(order, instance)));
    },
    infra: steer,
    flushRedis: () => flushAll(env.redisUrl),
    heal: async () => {
      for (const [name, cure] of [...down]) await steer(cure, name);
    },
  };
}

/** `sync-writer` stands for all its instances; `sync-writer-2` for that one. */
export function instancesOf(env: Pick<StackEnv, 'services'>, name: string): readonly string[] {
  const instance = new RegExp(`^${name}(-\\d+)?$`);
  const found = Object.keys(env.services).filter((service) => instance.test(service));
  if (found.length === 0)
    throw new Error(`no service '${name}'; there are: ${Object.keys(env.services).join(', ')}`);
  return found;
}

/** One command in Redis' own protocol; a client library for it would be the larger evil. */
function flushAll(redisUrl: string): Promise<void> {
  const { hostname, port } = new URL(redisUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 6379) });
    socket.setTimeout(5_000, () => socket.destroy(new Error('redis does not answer')));
    socket.once('error', reject);
    socket.once('data', (answer) => {
      socket.end();
      if (answer.toString().startsWith('+OK')) resolve();
      else reject(new Error(`redis refused to flush: ${answer.toString().trim()}`));
    });
    socket.write('*1\r\n$8\r\nFLUSHALL\r\n');
  });
}
