import { requirePortsFree } from './port-owner.mjs';
import { end, failWhenDead, isAlive } from './processes.mjs';
import { partNamed } from './parts/all.mjs';
import { secondsSince } from './progress.mjs';

/** Infrastructure as processes of this machine, from package registries. */
export const localEngine = {
  kind: 'local',

  /** Which of the named parts are alive: `{redis: true, …}`. */
  async partsUp({ paths }, names) {
    return Object.fromEntries(names.map((name) => [name, isAlive(paths, name)]));
  },

  /** Starts the parts side by side and waits until each has answered; ends them all when one fails. */
  async start(context, names) {
    const parts = names.map(partNamed);
    const portNames = parts.flatMap((part) => part.ports);
    await requirePortsFree(
      Object.fromEntries(portNames.map((name) => [name, context.ports[name]])),
    );
    const results = await Promise.allSettled(parts.map((part) => startPart(context, part)));
    const failure = results.find(({ status }) => status === 'rejected');
    if (!failure) return;
    await this.stop(context, names);
    throw failure.reason;
  },

  /** Resolves when the parts, already started, answer. */
  async ready(context, names) {
    await Promise.all(names.map((name) => whenReady(context, partNamed(name))));
  },

  /** Ends the parts that this stack started; true when any ran. */
  async stop({ paths }, names) {
    const ended = await Promise.all(
      names.map((name) => end(paths, name, partNamed(name).stopSignal)),
    );
    return ended.some(Boolean);
  },

  /** Stops or starts one part while the rest goes on. */
  async control(context, action, name) {
    if (action !== 'start') await this.stop(context, [name]);
    if (action !== 'stop') await this.start(context, [name]);
  },

  /** The parts keep their data in the stack's data folder and nowhere else. */
  async deleteData() {},
};

async function startPart(context, part) {
  await part.install(context);
  const startedAtMs = Date.now();
  await part.launch(context);
  await whenReady(context, part);
  context.say(`${part.name} is ready (${secondsSince(startedAtMs)} s)`);
}

function whenReady(context, part) {
  return part.ready({ ...context, giveUp: failWhenDead(context.paths, part.name) });
}
