import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun, which } from './command.mjs';
import { requireMaven } from './needs.mjs';
import { cacheRoot } from './stack-paths.mjs';

/**
 * Folder `<cache>/<tool>/<version>`, filled once by `fill(folder)`. It is filled under another name
 * and renamed at the end, so an interrupted download is never taken for a whole one.
 */
export async function cachedFolder(tool, version, fill) {
  const folder = join(cacheRoot(), tool, version);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.tmp`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
    await rename(draft, folder).catch((error) => {
      // Another launcher was quicker; what it put there is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

let mavenQueue = Promise.resolve();

/** Runs Maven in `folder`. One at a time: two Mavens may damage their shared local repository. */
export function maven(what, folder, args) {
  const mvn = which('mvn');
  requireMaven(mvn, what);
  const turn = mavenQueue.then(() => mustRun([mvn, '-q', '-B', ...args], { cwd: folder }));
  mavenQueue = turn.catch(() => {});
  return turn;
}

/** Maven's plugin for copying artifacts, pinned so that every machine runs the same one. */
export const MAVEN_DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
