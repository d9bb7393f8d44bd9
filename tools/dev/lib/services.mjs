import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvFile, writeEnvFile } from './env-file.mjs';
import { Fault } from './fault.mjs';
import { answersHttp } from './http-probe.mjs';
import { requirePortsFree } from './port-owner.mjs';
import { end, failWhenDead, isAlive, launch, recordFile, writeJson } from './processes.mjs';
import { secondsSince } from './progress.mjs';
import { SERVICES, serviceEnv } from './service-specs.mjs';
import { until } from './until.mjs';

const READY_TIMEOUT_MS = 60_000;

/**
 * Starts the services that do not run, side by side, and waits until each says it is ready.
 * One that runs since before `restartBeforeMs` is restarted. `stack` is the contents of env.json.
 */
export async function startServices(paths, stack, { restartBeforeMs, say }) {
  const names = Object.keys(SERVICES);
  const stale = names.filter(
    (name) => isAlive(paths, name) && isOlder(paths, name, restartBeforeMs),
  );
  await Promise.all(stale.map((name) => end(paths, name)));
  const missing = names.filter((name) => !isAlive(paths, name));
  await requirePortsFree(Object.fromEntries(missing.map((name) => [name, stack.ports[name]])));
  for (const name of missing) launchService(paths, stack, name);
  await Promise.all(names.map((name) => serviceReady(paths, stack, name, say)));
}

/** Ends every service of the stack, the simulator last so that none writes into the void. */
export async function stopServices(paths) {
  const names = Object.keys(SERVICES).filter((name) => name !== 'crm-sim');
  await Promise.all(names.map((name) => end(paths, name)));
  await end(paths, 'crm-sim');
}

/** Starts one service, whether or not its fellows run, and waits until it is ready. */
export async function startService(paths, stack, name) {
  await requirePortsFree({ [name]: stack.ports[name] });
  launchService(paths, stack, name);
  await serviceReady(paths, stack, name, () => {});
}

function launchService(paths, stack, name) {
  const main = join(paths.root, 'apps', SERVICES[name], 'dist', 'main.js');
  if (!existsSync(main)) throw new Fault(`${main} is missing; run npm run build.`);
  const instanceId = `${name}-${randomBytes(3).toString('hex')}`;
  const env = serviceEnv(name, stack, instanceId, process.env);
  const envFile = join(paths.dir, 'env', `${name}.json`);
  mkdirSync(join(paths.dir, 'env'), { recursive: true });
  writeJson(envFile, env);
  launch(paths, name, { args: [process.execPath, '--enable-source-maps', main], env, envFile });
  writeEnvFile(paths, readEnvFile(paths));
}

async function serviceReady(paths, stack, name, say) {
  const startedAtMs = Date.now();
  const url = `${stack.services[name]}/health/ready`;
  const giveUp = failWhenDead(paths, name);
  await until(name, () => answersHttp(url), { timeoutMs: READY_TIMEOUT_MS, giveUp });
  say(`${name} is ready (${secondsSince(startedAtMs)} s)`);
}

function isOlder(paths, name, restartBeforeMs) {
  return statSync(recordFile(paths, name)).mtimeMs < restartBeforeMs;
}
