import { engineOf } from './infra.mjs';
import { readEnvFile, writeEnvFile } from './env-file.mjs';
import { Fault } from './fault.mjs';
import { ALL_PARTS } from './parts/all.mjs';
import { end, isAlive, signal } from './processes.mjs';
import { SERVICES } from './service-specs.mjs';
import { startService } from './services.mjs';
import { stackPaths } from './stack-paths.mjs';

/**
 * Faults on purpose: stop, start, kill and freeze one process of a running stack while the rest goes
 * on. Names are those of the services and of the infrastructure's parts.
 */

/** What may be done to a service, and to a part of the infrastructure. */
export const SERVICE_ACTIONS = Object.freeze([
  'start',
  'stop',
  'restart',
  'kill',
  'pause',
  'resume',
]);
export const PART_ACTIONS = Object.freeze(['start', 'stop', 'restart']);

/**
 * Does one thing to one process and resolves when it is done: `start` and `restart` when the process
 * answers, `stop` and `kill` when it is gone. Doing what is already so is no error.
 * Throws a Fault for a stack that does not run, an unknown name, or an action it does not have.
 */
export async function control(stackName, action, name) {
  const paths = stackPaths(stackName);
  const stack = readEnvFile(paths);
  if (!stack) {
    throw new Fault(
      `Stack "${stackName}" is not running; start it with npm run dev -- --stack ${stackName}.`,
    );
  }
  requireAction(action, name);
  if (ALL_PARTS.includes(name)) await controlPart(paths, stack, action, name);
  else await controlService(paths, stack, action, name);
  writeEnvFile(paths, stack);
}

/** Throws a Fault unless `name` is a process that `action` can be done to. */
export function requireAction(action, name) {
  const names = [...Object.keys(SERVICES), ...ALL_PARTS];
  if (!names.includes(name)) {
    throw new Fault(`There is no process "${name}"; choose one of ${names.join(', ')}.`);
  }
  const actions = ALL_PARTS.includes(name) ? PART_ACTIONS : SERVICE_ACTIONS;
  if (!actions.includes(action)) {
    throw new Fault(`"${action}" cannot be done to ${name}; choose one of ${actions.join(', ')}.`);
  }
}

async function controlPart(paths, stack, action, name) {
  const context = { paths, ports: stack.ports, say: () => {} };
  const engine = await engineOf(stack);
  const { [name]: isUp } = await engine.partsUp(context, [name]);
  if (action === 'start' && isUp) return;
  await engine.control(context, action, name);
}

async function controlService(paths, stack, action, name) {
  if (action === 'pause' || action === 'resume') {
    const isRunning = signal(paths, name, action === 'pause' ? 'SIGSTOP' : 'SIGCONT');
    if (!isRunning) throw new Fault(`${name} is not running, so it cannot ${action}.`);
    return;
  }
  if (action === 'kill') await end(paths, name, 'SIGKILL');
  if (action === 'stop' || action === 'restart') await end(paths, name);
  const isToStart = action === 'start' || action === 'restart';
  if (isToStart && !isAlive(paths, name)) await startService(paths, stack, name);
}
