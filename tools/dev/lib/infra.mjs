import { mkdirSync, statfsSync } from 'node:fs';
import { composeEngine, hasDockerCompose } from './engine-compose.mjs';
import { localEngine } from './engine-local.mjs';
import { describeStack, readEnvFile, writeEnvFile } from './env-file.mjs';
import { requireDisk, requireWhole } from './needs.mjs';
import { ALL_PARTS, CORE_PARTS } from './parts/all.mjs';
import { provisionDatabase } from './provision-database.mjs';

const ENGINES = { local: localEngine, compose: composeEngine };

/** The engine that runs a stack: the one recorded for it, else containers when Docker can, else processes. */
export async function engineOf(recorded) {
  if (recorded) return ENGINES[recorded.engine];
  return (await hasDockerCompose()) ? composeEngine : localEngine;
}

/**
 * Starts a stack's infrastructure, or uses it when it runs, and makes its database and roles.
 * Returns `{stack, started}`: the contents of env.json, and whether it was this call that started it.
 * Throws a Fault when a port is taken, something is missing, or only half of it runs.
 */
export async function startInfra({ paths, ports, withJaeger = false, say }) {
  mkdirSync(paths.data, { recursive: true });
  requireDisk(freeBytes(paths.dir), paths.dir);
  const recorded = readEnvFile(paths);
  const engine = await engineOf(recorded);
  const running = { paths, ports: recorded?.ports ?? ports, say };
  const isUp = await engine.partsUp(running, ALL_PARTS);
  const { jaeger: isJaegerUp, ...core } = isUp;
  const started = requireWhole(paths.name, core) === 'none';
  const context = started ? { paths, ports, say } : running;
  if (started) await engine.start(context, CORE_PARTS);
  else await engine.ready(context, CORE_PARTS);
  if (withJaeger && !isJaegerUp) await engine.start(context, ['jaeger']);
  await provisionDatabase(context.ports.postgres);
  const description = describeStack({
    paths,
    ports: context.ports,
    engine: engine.kind,
    withJaeger: withJaeger || isJaegerUp,
  });
  return { stack: writeEnvFile(paths, description), started };
}

/** Stops what the stack's infrastructure runs; with `deleteData` also deletes what it stored. */
export async function stopInfra({ paths, deleteData = false }) {
  const recorded = readEnvFile(paths);
  const engine = recorded ? await engineOf(recorded) : localEngine;
  const context = { paths, ports: recorded?.ports ?? {} };
  const stopped = await engine.stop(context, ALL_PARTS);
  if (deleteData) await engine.deleteData(context);
  return stopped;
}

function freeBytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
