import { Fault } from './fault.mjs';

/** What this machine must have. Pure: each check takes what was seen and throws a Fault or returns. */

const NODE_MIN = [20, 19];
const JAVA_MIN = 17;
const DISK_MIN_BYTES = 2 * 1024 ** 3;

/** @param {string} version as in `process.versions.node` */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new Fault(`Node ${version} is too old; install Node ${NODE_MIN.join('.')} or newer.`);
}

/** Major version in the output of `java -version` (`1.8.0` is 8), or undefined when there is none. */
export function javaMajor(output) {
  const found = /version "(?:1\.)?(\d+)/.exec(output);
  return found ? Number(found[1]) : undefined;
}

/** @param {string | undefined} output of `java -version`; undefined when there is no java */
export function requireJava(output) {
  const advice =
    'install Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless) or start a docker engine with compose';
  if (output === undefined) throw new Fault(`Kafka needs Java and there is none; ${advice}.`);
  const major = javaMajor(output);
  if (major === undefined || major < JAVA_MIN) {
    throw new Fault(
      `Kafka needs Java ${JAVA_MIN} and this one is ${major ?? 'unknown'}; ${advice}.`,
    );
  }
}

/** @param {string | undefined} path of mvn; asked only when something has to be downloaded */
export function requireMaven(path, what) {
  if (path) return;
  throw new Fault(
    `${what} is not in the cache and is fetched with Maven, which is missing; install it (Debian: apt-get install maven) or start a docker engine with compose.`,
  );
}

/** @param {string | undefined} path of go; asked only when Jaeger is not in the cache */
export function requireGo(path) {
  if (path) return;
  throw new Fault(
    'Jaeger is not in the cache and is built with Go, which is missing; install Go 1.26 or newer, or leave out --with jaeger.',
  );
}

/** @param {number} freeBytes on the disk that holds `folder` */
export function requireDisk(freeBytes, folder) {
  if (freeBytes >= DISK_MIN_BYTES) return;
  const free = (freeBytes / 1024 ** 3).toFixed(1);
  throw new Fault(
    `Only ${free} GB are free where ${folder} lies and 2 GB are needed; free some space (npm run down -- --data deletes a stack's data).`,
  );
}

/**
 * Decides what a start finds: `none` of the parts up (start them), `all` up (use them).
 * Throws a Fault when only some are, since the rest may have lost data the others remember.
 * @param {string} stackName @param {Record<string, boolean>} isUpByPart
 */
export function requireWhole(stackName, isUpByPart) {
  const names = Object.keys(isUpByPart);
  const up = names.filter((name) => isUpByPart[name]);
  if (up.length === 0) return 'none';
  if (up.length === names.length) return 'all';
  const down = names.filter((name) => !isUpByPart[name]);
  throw new Fault(
    `Stack "${stackName}" is half running (up: ${up.join(', ')}; down: ${down.join(', ')}); run npm run down -- --stack ${stackName} and start it again.`,
  );
}
