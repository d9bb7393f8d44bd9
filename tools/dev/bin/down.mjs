#!/usr/bin/env node
import { readArguments } from '../lib/arguments.mjs';
import { runMain } from '../lib/fault.mjs';
import { stopInfra } from '../lib/infra.mjs';
import { withStackLock } from '../lib/lock.mjs';
import { createProgress } from '../lib/progress.mjs';
import { stackPaths } from '../lib/stack-paths.mjs';

const USAGE = 'npm run down -- [--stack NAME] [--data]';

await runMain(async () => {
  const options = readArguments(USAGE, {
    stack: { type: 'string', default: 'dev' },
    data: { type: 'boolean', default: false },
  });
  const paths = stackPaths(options.stack);
  const say = createProgress();
  await withStackLock(paths, () => stopInfra({ paths, deleteData: options.data }));
  say(`stack "${paths.name}" is down`);
});
