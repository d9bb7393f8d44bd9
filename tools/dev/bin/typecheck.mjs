#!/usr/bin/env node
import { TSC } from '../lib/build.mjs';
import { passThrough } from '../lib/command.mjs';
import { runMain } from '../lib/fault.mjs';
import { installPackages } from '../lib/install.mjs';
import { requireNode } from '../lib/needs.mjs';
import { createProgress } from '../lib/progress.mjs';
import { REPO_ROOT } from '../lib/stack-paths.mjs';

/** The second compile sees no Node and no browser: what must be pure cannot reach for the world. The third reads the specs. */
const COMPILES = [['--build'], ['-p', 'tsconfig.pure.json'], ['-p', 'tsconfig.spec.json']];

await runMain(async () => {
  requireNode(process.versions.node);
  const say = createProgress();
  await installPackages(say);
  let worst = 0;
  for (const options of COMPILES) {
    const code = await passThrough([process.execPath, TSC, ...options], { cwd: REPO_ROOT });
    say(`tsc ${options.join(' ')}: ${code === 0 ? 'ok' : 'see above'}`);
    worst = Math.max(worst, code);
  }
  return worst;
});
