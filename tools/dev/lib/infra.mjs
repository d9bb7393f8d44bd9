import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { composeEngine, hasDockerCompose } from './engine-compose.mjs';
import { localEngine } from './engine-local.mjs';
import { describeStack, readEnvFile, writeEnvFile } from './env-file.mjs';
import { Fault } from './fault.mjs';
import { requireDisk, requireWhole } from './needs.mjs';
import { ALL_PARTS, CORE_PARTS, partNamed } from './parts/all.mjs';
import { provisionDatabase } from './provision-database.mjs';

const ENGINES = { local: localEngine, compose: composeEngine };

/**
 * The engine that runs a stack: the one it runs on, else the one named by COUNTERPART_ENGINE, else
 * containers when Docker can, else processes of this machine.
 * @param {{engine: string} | undefined} recorded contents of env.json
 */
export async function engineOf(recorded, env = process.env) {
  const name = recorded?.engine ?? env.COUNTERPART_ENGINE;
  if (name === undefined) return (await hasDockerCompose()) ? composeEngine : localEngine;
  if (ENGINES[name]) return ENGINES[name];
  throw new Fault(`COUNTERPART_ENGINE is "${name}"; set it to local or compose, or leave it out.`);
}

/**
 * Gets what the infrastructure is made of, without starting anything: it is the slow half of a first
 * start and needs none of our own packages.
 */
export async function fetchInfra({ paths, withJaeger = false, say }) {
  mkdirSync(paths.dir, { recursive: true });
  requireDisk(freeBytes(paths.dir), paths.dir);
  if ((await engineOf(readEnvFile(paths))) !== localEngine) return;
  const names = withJaeger ? ALL_PARTS : CORE_PARTS;
  await Promise.all(names.map((name) => partNamed(name).install({ say })));
}

/**
 * Starts a stack's infrastructure, or uses it when it runs, and makes its database and roles.
 * Returns `{stack, started}`: the contents of env.json, and whether it was this call that started it.
 * Throws a Fault when a port is taken, something is missing, or only half of it runs; with `heal` half
 * a stack is stopped and started again instead. With `fresh` a stack that is started has no old data.
 * `onStart` is called when something is about to run, so that an interrupted caller knows to stop it.
 */
export async function startInfra(request) {
  const { paths, ports, withJaeger = false, heal = false, fresh = false, say } = request;
  const recorded = readEnvFile(paths);
  const engine = await engineOf(recorded);
  const running = { paths, ports: recorded?.ports ?? ports, say };
  const { jaeger: isJaegerUp, ...core } = await engine.partsUp(running, ALL_PARTS);
  const started = await isToBeStarted({ engine, context: running, core, heal });
  const context = started ? { paths, ports, say } : running;
  if (started) {
    request.onStart?.();
    rmSync(paths.logs, { recursive: true, force: true });
    if (fresh) await deleteStored(engine, context);
    await engine.start(context, CORE_PARTS);
  } else {
    await engine.ready(context, CORE_PARTS);
  }
  if (withJaeger && !isJaegerUp) await engine.start(context, ['jaeger']);
  await provisionDatabase(context.ports.postgres);
  const hasJaeger = withJaeger || isJaegerUp;
  const description = { paths, ports: context.ports, engine: engine.kind, hasJaeger };
  return { stack: writeEnvFile(paths, describeStack(description)), started };
}

async function isToBeStarted({ engine, context, core, heal }) {
  const isHalf = new Set(Object.values(core)).size === 2;
  if (isHalf && heal) {
    await engine.stop(context, ALL_PARTS);
    return true;
  }
  return requireWhole(context.paths.name, core) === 'none';
}

/** Stops the infrastructure that the stack runs; with `deleteData` also deletes what it stored. */
export async function stopInfra({ paths, deleteData = false, say }) {
  const recorded = readEnvFile(paths);
  const context = { paths, ports: recorded?.ports ?? {}, say };
  const engine = recorded ? await engineOf(recorded) : localEngine;
  await engine.stop(context, ALL_PARTS);
  rmSync(paths.envFile, { force: true });
  if (!deleteData) return;
  await deleteStored(await engineOf(recorded), context);
}

async function deleteStored(engine, context) {
  await engine.deleteData(context);
  for (const folder of [context.paths.data, context.paths.secrets]) {
    rmSync(folder, { recursive: true, force: true });
  }
}

function freeBytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
