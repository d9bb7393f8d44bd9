import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { POSTGRES_PACKAGE } from './parts/postgres.mjs';
import { REPO_ROOT } from './stack-paths.mjs';

/**
 * Installs our packages when node_modules does not hold what package-lock.json says, then makes the
 * links that PostgreSQL's package would make in an install script (install scripts stay off).
 */
export async function installPackages(say, root = REPO_ROOT) {
  const wanted = readJson(join(root, 'package-lock.json'));
  // npm keeps this list of what it really installed.
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (!isInstalled(wanted, installed)) {
    say('installing packages (npm ci)');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await mustRun(['npm', 'ci', ...quiet], { cwd: root });
  }
  const script = join(POSTGRES_PACKAGE, 'scripts', 'hydrate-symlinks.js');
  if (existsSync(script)) await mustRun([process.execPath, script], { cwd: POSTGRES_PACKAGE });
}

/**
 * Whether every package that the lock file names is installed in that version. Packages for another
 * platform are optional and may be absent.
 * @param wanted package-lock.json @param installed node_modules/.package-lock.json, undefined when absent
 */
export function isInstalled(wanted, installed) {
  if (!installed) return false;
  return Object.entries(wanted.packages)
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, entry]) => isSame(entry, installed.packages[path]));
}

function isSame(wanted, installed) {
  if (!installed) return wanted.optional === true;
  return (
    wanted.version === installed.version &&
    wanted.integrity === installed.integrity &&
    wanted.link === installed.link
  );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
