import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { isSameProcess, startTimeOf } from './proc.mjs';
import { until } from './until.mjs';

/**
 * Processes that outlive the launcher. Each has a record `.run/<stack>/pids/<name>.json` of
 * `{pid, startTime, args, envFile}`; only a process that matches its record is ever signalled.
 */

const KILL_AFTER_MS = 20_000;

/** Last `lines` lines of a process's log, for a message about its death. */
export function logTail(paths, name, lines = 12) {
  try {
    return readFileSync(logFile(paths, name), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-lines)
      .join('\n');
  } catch {
    return '(no log)';
  }
}

/** Log file of a process. */
export function logFile(paths, name) {
  return join(paths.logs, `${name}.log`);
}

/** File that records a process. */
export function recordFile(paths, name) {
  return join(paths.pids, `${name}.json`);
}

/** Record of a process, or undefined when it never ran or was stopped. */
export function recordOf(paths, name) {
  try {
    return JSON.parse(readFileSync(recordFile(paths, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the recorded process of that name is alive (a paused one is). */
export function isAlive(paths, name) {
  return isSameProcess(recordOf(paths, name));
}

/**
 * Starts `args[0]` with the other arguments, detached, output appended to its log, and records it.
 * `env` is the whole environment. Returns the record; does not wait for readiness.
 */
export function launch(paths, name, { args, env, cwd, envFile }) {
  mkdirSync(paths.logs, { recursive: true });
  mkdirSync(paths.pids, { recursive: true });
  const log = openSync(logFile(paths, name), 'a');
  const child = spawn(args[0], args.slice(1), {
    cwd: cwd ?? paths.root,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // Without a listener a missing program would end the launcher; the wait for readiness reports it.
  child.on('error', () => {});
  child.unref();
  const record = { pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0), args, envFile };
  writeJson(recordFile(paths, name), record);
  return record;
}

/** Throws with the end of the log when the process is gone: a wait for it would be in vain. */
export function failWhenDead(paths, name) {
  return async () => {
    if (isAlive(paths, name)) return;
    throw new Fault(
      `${name} ended before it was ready; the end of ${logFile(paths, name)}:\n${logTail(paths, name)}`,
    );
  };
}

/** Sends a signal to the recorded process; false when it is not running. */
export function signal(paths, name, signalName) {
  const record = recordOf(paths, name);
  if (!isSameProcess(record)) return false;
  process.kill(record.pid, signalName);
  return true;
}

/**
 * Ends a process and waits until it is gone: `signalName` first, SIGKILL after 20 s.
 * Removes the record. True when something was running.
 */
export async function end(paths, name, signalName = 'SIGTERM') {
  const record = recordOf(paths, name);
  const wasRunning = signal(paths, name, signalName);
  if (wasRunning) {
    // A paused process takes no notice of SIGTERM until it may go on.
    signal(paths, name, 'SIGCONT');
    const gone = async () => !isSameProcess(record);
    await until(`${name} to end`, gone, { timeoutMs: KILL_AFTER_MS, everyMs: 20 }).catch(
      async () => {
        signal(paths, name, 'SIGKILL');
        await until(`${name} to end`, gone, { timeoutMs: KILL_AFTER_MS, everyMs: 20 });
      },
    );
  }
  rmSync(recordFile(paths, name), { force: true });
  return wasRunning;
}

/** Writes JSON so that a reader sees the old file or the new one, never half of it. */
export function writeJson(file, value) {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(draft, file);
}
