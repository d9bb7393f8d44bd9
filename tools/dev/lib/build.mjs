import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './command.mjs';
import { Fault } from './fault.mjs';
import { REPO_ROOT } from './stack-paths.mjs';

/** The TypeScript compiler of this checkout. */
export const TSC = join(REPO_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** The code does not compile. The message holds the compiler's findings. */
export class CompileFault extends Fault {
  name = 'CompileFault';
}

/** Compiles what changed. Throws a CompileFault when it does not compile. */
export async function build(say) {
  say('building (tsc --build)');
  const { code, stdout, stderr } = await capture([process.execPath, TSC, '--build'], {
    cwd: REPO_ROOT,
  });
  if (code === 0) return;
  throw new CompileFault(
    `${stdout}${stderr}`.trim() + '\nThe code does not compile; see the lines above.',
  );
}

/** When the newest part of the build was made, in ms since 1970; 0 when nothing was built. */
export function builtAtMs(root = REPO_ROOT) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  // A part named by a file builds into the folder of another part.
  const folders = references.map(({ path }) => path).filter((path) => !path.endsWith('.json'));
  const times = folders.map((path) => mtimeMs(join(root, path, 'dist', '.tsbuildinfo')));
  return Math.max(0, ...times);
}

function mtimeMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
