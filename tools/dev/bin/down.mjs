#!/usr/bin/env node
import { readArguments } from '../lib/arguments.mjs';
import { takeDown } from '../lib/bring-up.mjs';
import { runMain } from '../lib/fault.mjs';
import { createProgress } from '../lib/progress.mjs';
import { stackPaths } from '../lib/stack-paths.mjs';

const USAGE = `npm run down -- [--stack NAME] [--data]
Stops all that the stack runs; --data also deletes what it stored.`;

await runMain(async () => {
  const values = readArguments(USAGE, {
    stack: { type: 'string', default: 'dev' },
    data: { type: 'boolean', default: false },
  });
  const say = createProgress();
  const paths = stackPaths(values.stack);
  await takeDown({ paths, deleteData: values.data, say });
  say(`stack "${paths.name}" is down${values.data ? ' and its data deleted' : ''}`);
});
