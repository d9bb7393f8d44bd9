import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Fault } from './fault.mjs';

/** Full path of a program on PATH, or undefined. */
export function which(program, env = process.env) {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((path) => isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program to its end. Returns `{code, stdout, stderr}`; code is undefined when it could not start. */
export function capture(args, options = {}) {
  return new Promise((resolve) => {
    const settings = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options };
    execFile(args[0], args.slice(1), settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, stdout, stderr });
    });
  });
}

/** Runs a program to its end and throws a Fault with the end of its output when it fails. */
export async function mustRun(args, options) {
  const { code, stdout, stderr } = await capture(args, options);
  if (code === 0) return stdout;
  const output = `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n');
  throw new Fault(`${args.join(' ')} ended with ${code ?? 'no start'}:\n${output}`);
}

/** Runs a program with this terminal as its own; resolves to its exit code (1 when a signal ended it). */
export function passThrough(args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(args[0], args.slice(1), { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
