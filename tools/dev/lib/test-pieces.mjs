import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runPiece } from './run-piece.mjs';
import {
  isTotalsLine,
  jestCounts,
  jestFailures,
  judgePiece,
  tapCounts,
  totalsLine,
} from './test-counts.mjs';

const MINUTE_MS = 60_000;

/**
 * The pieces of `npm test`. Each resolves to `{name, passed, failed}` after printing what failed.
 * `context` is `{paths, env, say}`.
 */

/** Tests of our own tools, by Node's runner. */
export function toolTests(context) {
  const { paths } = context;
  const files = ['tools', 'tests'].flatMap((folder) => testFiles(join(paths.root, folder)));
  const tap = resultFile(paths, 'tools.tap');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${tap}`,
  ];
  return piece(context, {
    name: 'tools',
    args: [process.execPath, '--test', ...reporters, ...files],
    timeoutMs: 5 * MINUTE_MS,
    counts: () => tapCounts(readText(tap)),
    failures: (output) => [lastLines(output, 60)],
  });
}

/** One Jest project: `unit`, or `int` one file at a time since its files share the infrastructure. */
export function jestTests(context, project) {
  const { paths } = context;
  const results = resultFile(paths, `${project}.json`);
  const jest = join(paths.root, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--selectProjects', project, '--json', `--outputFile=${results}`];
  const read = () => JSON.parse(readText(results) || 'null');
  return piece(context, {
    name: project,
    args: [process.execPath, jest, ...options, ...(project === 'int' ? ['--runInBand'] : [])],
    timeoutMs: 20 * MINUTE_MS,
    counts: () => jestCounts(read()),
    failures: () => jestFailures(read()),
  });
}

/** Whether this checkout has scenarios to run. */
export function hasScenarios(paths) {
  return existsSync(join(paths.root, 'scenarios'));
}

/** The scenario files against the running stack; its progress is shown as it comes. */
export function scenarios(context) {
  const { paths, say } = context;
  const program = join(paths.root, 'apps', 'cli', 'dist', 'main.js');
  return piece(context, {
    name: 'scenarios',
    args: [process.execPath, program, 'scenario', 'run', 'scenarios', '--stack', paths.name],
    timeoutMs: 20 * MINUTE_MS,
    counts: totalsLine,
    failures: (output) => [lastLines(output, 80)],
    onLine: (line) => isTotalsLine(line) || say(`  ${line}`),
  });
}

async function piece({ paths, env, say }, { name, args, timeoutMs, counts, failures, onLine }) {
  const startedAtMs = Date.now();
  say(`${name}: running`);
  const logFile = join(paths.dir, 'results', `${name}.log`);
  const { code, output } = await runPiece(args, {
    logFile,
    env,
    cwd: paths.root,
    timeoutMs,
    onLine,
  });
  const found = counts(output);
  const { passed, failed } = judgePiece({ counts: found, code });
  if (failed > 0) {
    say(`${name}: failures, all of it in ${logFile}`);
    if (!found) say(`${name}: gave no count (exit code ${code})\n${lastLines(output, 40)}`);
    for (const text of failures(output)) say(`${name}: ${text}\n`);
  }
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(0);
  say(`${name}: ${passed} passed and ${failed} failed in ${seconds} s`);
  return { name, passed, failed };
}

/** A file for a runner's result, without the one of an earlier run. */
function resultFile(paths, name) {
  const folder = join(paths.dir, 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}

/** Files `test/*.test.mjs` below a folder, at any depth. */
function testFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path);
    return entry.name.endsWith('.test.mjs') ? [path] : [];
  });
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function lastLines(text, count) {
  return text
    .split('\n')
    .filter((line) => !isTotalsLine(line))
    .slice(-count)
    .join('\n');
}
