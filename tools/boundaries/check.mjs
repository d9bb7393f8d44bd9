#!/usr/bin/env node
/**
 * Files that break a layer rule on purpose, linted as if they stood where `@as` says. Each must be
 * refused by the rule that `@rule` names; a rule that no longer bites fails the check.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const canaries = join(here, 'canaries');

const tagOf = (text, name) => new RegExp(`^// @${name} (.+)$`, 'm').exec(text)?.[1]?.trim();

/** The rule reads its file from disk, so the canary stands there while it is linted. */
async function rulesAgainst(eslint, text, place) {
  const path = join(root, place);
  await writeFile(path, text, { flag: 'wx' });
  try {
    const [result] = await eslint.lintFiles([path]);
    return result.messages.map(({ ruleId }) => ruleId);
  } finally {
    await rm(path);
  }
}

const eslint = new ESLint({ cwd: root });
let silent = 0;
const names = await readdir(canaries);
for (const name of names.sort()) {
  const text = await readFile(join(canaries, name), 'utf8');
  const rule = tagOf(text, 'rule');
  const found = await rulesAgainst(eslint, text, tagOf(text, 'as'));
  if (found.includes(rule)) continue;
  silent += 1;
  console.error(`${name}: ${rule} did not refuse it (found: ${found.join(', ') || 'nothing'})`);
}
console.log(`${names.length - silent} of ${names.length} canaries refused`);
process.exitCode = silent === 0 ? 0 : 1;
