#!/usr/bin/env node
import { join } from 'node:path';
import { addressTable } from '../lib/addresses.mjs';
import { bringUp, takeDown } from '../lib/bring-up.mjs';
import { passThrough } from '../lib/command.mjs';
import { readEnvFile } from '../lib/env-file.mjs';
import { runMain } from '../lib/fault.mjs';
import { withCleanUp } from '../lib/interrupted.mjs';
import { requireNode } from '../lib/needs.mjs';
import { createProgress } from '../lib/progress.mjs';
import { readStackOptions } from '../lib/stack-options.mjs';

const USAGE = `npm run demo -- [--seed N] [--report FILE] [--provider NAME] [--keep] [--with jaeger] [--stack NAME] [--port-offset N]
Starts everything, plays the story, prints the verdict and stops what it started (--keep leaves it running).`;

/** Options that the story itself understands. */
const STORY_OPTIONS = ['seed', 'report', 'provider'];

await runMain(async () => {
  requireNode(process.versions.node);
  const { values, request } = readStackOptions({
    usage: USAGE,
    stack: 'demo',
    options: {
      ...Object.fromEntries(STORY_OPTIONS.map((name) => [name, { type: 'string' }])),
      keep: { type: 'boolean', default: false },
    },
  });
  const say = createProgress();
  let isOurs = false;
  const onStart = () => (isOurs = true);
  const whole = { ...request, say, heal: true, onStart };
  let up = Promise.resolve();
  const work = async (signal) => {
    up = bringUp(whole, 'services');
    await up;
    return playStory(request.paths, values, signal);
  };
  const cleanUp = async () => {
    await up.catch(() => {});
    if (values.keep) sayWhereItRuns(whole);
    else if (isOurs) await takeDown(whole);
  };
  return withCleanUp(work, cleanUp);
});

function playStory(paths, values, signal) {
  const given = STORY_OPTIONS.filter((name) => values[name] !== undefined);
  const options = given.flatMap((name) => [`--${name}`, values[name]]);
  const program = join(paths.root, 'apps', 'cli', 'dist', 'main.js');
  const args = [process.execPath, program, 'demo', '--stack', paths.name, ...options];
  return passThrough(args, { cwd: paths.root, signal });
}

function sayWhereItRuns({ paths, say }) {
  const stack = readEnvFile(paths);
  if (!stack) return;
  say(`still running; npm run down -- --stack ${paths.name} stops it`);
  process.stdout.write(`${addressTable(stack)}\n`);
}
