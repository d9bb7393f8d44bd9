import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identity of a running process. A pid alone is not one: after a crash or a reboot the number may
 * belong to a stranger, and a stale pid file would kill it. The start time tells them apart.
 */

/** State letter and start time from the text of /proc/PID/stat. The name may hold spaces and brackets. */
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], startTime: fields[19] };
}

/** A word that differs between two processes with the same pid; undefined when there is no such process. */
export function startTimeOf(pid) {
  try {
    const { state, startTime } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // A zombie has ended; its parent has merely not looked yet.
    return state === 'Z' || state === 'X' ? undefined : startTime;
  } catch {
    return process.platform === 'linux' ? undefined : startTimeFromPs(pid);
  }
}

/** Whether the process recorded as `{pid, startTime}` is still that process, and alive. */
export function isSameProcess(recorded) {
  return recorded !== undefined && startTimeOf(recorded.pid) === recorded.startTime;
}

function startTimeFromPs(pid) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined;
  } catch {
    return undefined;
  }
}
