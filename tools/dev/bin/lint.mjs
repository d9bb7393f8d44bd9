#!/usr/bin/env node
import { join } from 'node:path';
import { passThrough } from '../lib/command.mjs';
import { runMain } from '../lib/fault.mjs';
import { installPackages } from '../lib/install.mjs';
import { requireNode } from '../lib/needs.mjs';
import { createProgress } from '../lib/progress.mjs';
import { REPO_ROOT } from '../lib/stack-paths.mjs';

const bin = (...path) => join(REPO_ROOT, 'node_modules', ...path);

/** Every check runs, so that one run shows all there is to mend. */
const CHECKS = [
  // ESLint's boundary rule reads Nx's project graph from its cache, and is silent without one.
  {
    name: 'project graph',
    args: [bin('nx', 'dist', 'bin', 'nx.js'), 'show', 'projects', '--json'],
  },
  { name: 'eslint', args: [bin('eslint', 'bin', 'eslint.js'), '.'] },
  {
    name: 'prettier',
    args: [bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level=warn', '.'],
  },
  // Files that break a layer rule on purpose: the rules must still bite.
  { name: 'boundaries', args: [join(REPO_ROOT, 'tools', 'boundaries', 'check.mjs')] },
];

await runMain(async () => {
  requireNode(process.versions.node);
  const say = createProgress();
  await installPackages(say);
  let worst = 0;
  for (const { name, args } of CHECKS) {
    const code = await passThrough([process.execPath, ...args], { cwd: REPO_ROOT });
    say(`${name}: ${code === 0 ? 'ok' : 'see above'}`);
    worst = Math.max(worst, code);
  }
  return worst;
});
