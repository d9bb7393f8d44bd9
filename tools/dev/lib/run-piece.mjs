import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const running = new Set();

/**
 * Runs one piece of a longer command, its output into `logFile` and, line by line, to `onLine`.
 * It gets a process group of its own and is killed, with all that it started, after `timeoutMs`.
 * Returns `{code, output}`; code is 1 when a signal ended it.
 */
export async function runPiece(args, { logFile, env, cwd, timeoutMs, onLine = () => {} }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const options = { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = spawn(args[0], args.slice(1), options);
  running.add(child);
  const timer = setTimeout(() => killGroup(child), timeoutMs);
  const lines = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      lines.push(line);
      log.write(`${line}\n`);
      onLine(line);
    }
  });
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  // What a piece leaves behind would hold its output open and run into the next piece.
  killGroup(child);
  clearTimeout(timer);
  running.delete(child);
  await Promise.all(reading);
  log.end();
  return { code, output: lines.join('\n') };
}

/** Kills the pieces that run now, for a command that is being interrupted. */
export function killPieces() {
  for (const child of running) killGroup(child);
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}
