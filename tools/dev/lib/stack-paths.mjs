import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from './fault.mjs';

/** Root of the checkout. */
export const REPO_ROOT = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

const STACK_NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** Folder that keeps downloads between runs and checkouts: `$COUNTERPART_CACHE` or `~/.cache/counterpart`. */
export function cacheRoot(env = process.env) {
  return env.COUNTERPART_CACHE
    ? resolve(env.COUNTERPART_CACHE)
    : join(homedir(), '.cache', 'counterpart');
}

/**
 * Folders of one stack, all inside `.run/<name>`; nothing of a stack lies elsewhere.
 * Throws a Fault when the name could not be a folder or a compose project.
 */
export function stackPaths(name, root = REPO_ROOT) {
  if (!STACK_NAME.test(name)) {
    throw new Fault(
      `"${name}" cannot name a stack; use lower case letters, digits and dashes, starting with a letter.`,
    );
  }
  const dir = join(root, '.run', name);
  return {
    name,
    root,
    dir,
    data: join(dir, 'data'),
    logs: join(dir, 'logs'),
    pids: join(dir, 'pids'),
    secrets: join(dir, 'secrets'),
    envFile: join(dir, 'env.json'),
  };
}
