import { build, builtAtMs } from './build.mjs';
import { fetchInfra, startInfra, stopInfra } from './infra.mjs';
import { installPackages } from './install.mjs';
import { withStackLock } from './lock.mjs';
import { provision } from './provision.mjs';
import { startServices, stopServices } from './services.mjs';

/**
 * From a checkout to a stack in use. What can be done side by side is: packages and infrastructure are
 * fetched together, and the code compiles while the infrastructure starts.
 * @param request `{paths, ports, withJaeger, heal, fresh, onStart, say}`, as startInfra takes it
 * @param level `infra`: parts, database and roles; `provisioned`: also built code, tables, topics;
 *   `services`: also the services
 * @returns {Promise<{stack, started: boolean}>} contents of env.json; whether this call started it
 */
export function bringUp(request, level) {
  return withStackLock(request.paths, async () => {
    await allOrFirstFailure([installPackages(request.say), fetchInfra(request)]);
    const up = startInfra(request);
    const built = level === 'infra' ? undefined : build(request.say);
    const [{ stack, started }] = await allOrFirstFailure([up, built]).catch((error) =>
      stopAfterFailure(request, up, error),
    );
    if (level !== 'infra') await provision(request.paths, stack, request);
    if (level === 'services') await bringUpServices(request, stack, started);
    return { stack, started };
  });
}

/** Starts the services of a stack that is provisioned; `restartAll` also those that run already. */
export async function bringUpServices({ paths, say }, stack, restartAll) {
  await startServices(paths, stack, { restartBeforeMs: restartAll ? Infinity : builtAtMs(), say });
}

/** Stops all that the stack runs. With `deleteData` nothing of it is kept but its logs. */
export function takeDown({ paths, deleteData = false, say }) {
  return withStackLock(paths, async () => {
    await stopServices(paths);
    await stopInfra({ paths, deleteData, say });
  });
}

async function stopAfterFailure({ paths, say }, up, error) {
  const started = await up.then((result) => result.started).catch(() => false);
  if (started) await stopInfra({ paths, say });
  throw error;
}

/** Like Promise.all, but lets the others finish before it throws, so that nothing goes on behind it. */
async function allOrFirstFailure(works) {
  const results = await Promise.allSettled(works);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure) throw failure.reason;
  return results.map(({ value }) => value);
}
