import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { isSameProcess, startTimeOf } from './proc.mjs';

/**
 * Runs `work` as the only command that starts or stops this stack. Throws a Fault when another one is
 * at it; the lock of a command that died is taken over.
 */
export async function withStackLock(paths, work) {
  const file = join(paths.dir, 'lock.json');
  mkdirSync(paths.dir, { recursive: true });
  take(file, paths.name);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file, stackName) {
  const mine = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = read(file);
    if (isSameProcess(holder)) {
      throw new Fault(
        `Stack "${stackName}" is being started or stopped by process ${holder.pid}; wait until it is done and try again.`,
      );
    }
    rmSync(file, { force: true });
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
