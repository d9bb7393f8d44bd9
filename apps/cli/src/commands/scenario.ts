import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { faultLine, loadScenarios, runAll, verdictTable } from '@counterpart/scenario';
import type { LoadedScenario, ScenarioResult } from '@counterpart/scenario';
import { StackUnavailable, withStack } from './open-stack.js';
import { wholeNumber } from './whole-number.js';

interface RunFlags {
  readonly stack: string;
  readonly concurrency: number;
  readonly seed: number;
  readonly report?: string;
  readonly verbose?: boolean;
}

/** `counterpart scenario run` and `counterpart scenario check`. */
export function addScenarioCommand(program: Command): void {
  const scenario = program
    .command('scenario')
    .description('stories about records, and their proof');
  scenario
    .command('run')
    .description('play scenario files, or all in a folder, against a running stack')
    .argument('<paths...>', 'files or folders')
    .option('--stack <name>', 'name of the running stack', 'dev')
    .option('--concurrency <n>', 'scenarios played side by side', wholeNumber(1), 6)
    .option('--seed <n>', 'repeats the misbehaviour of the simulated CRM', wholeNumber(0), 1)
    .option('--report <file>', 'write all checks as JSON')
    .option('--verbose', 'print every step')
    .action(async (paths: string[], flags: RunFlags) => {
      process.exitCode = await runFiles(paths, flags);
    });
  scenario
    .command('check')
    .description('say what is wrong with scenario files, without playing them')
    .argument('<paths...>', 'files or folders')
    .action((paths: string[]) => {
      const loaded = loadOrTell(paths);
      if (loaded) print(`${loaded.length} scenarios are well formed`);
      process.exitCode = loaded ? 0 : 1;
    });
}

async function runFiles(paths: readonly string[], flags: RunFlags): Promise<number> {
  const loaded = loadOrTell(paths);
  if (!loaded) return 1;
  try {
    const results = await withStack(flags.stack, (parts) =>
      runAll(loaded, {
        ...parts,
        seed: flags.seed,
        concurrency: flags.concurrency,
        onLine: (one, line) => {
          if (flags.verbose === true) print(`      ${one.file}: ${line}`);
        },
        onDone: (_, result) => printResult(result),
      }),
    );
    if (flags.report !== undefined) writeReport(flags.report, flags.seed, results);
    const failed = results.filter(({ ok }) => !ok).length;
    print(`${results.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StackUnavailable)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function loadOrTell(paths: readonly string[]): readonly LoadedScenario[] | undefined {
  const { loaded, faults } = loadScenarios(paths);
  for (const fault of faults) process.stderr.write(`${faultLine(fault)}\n`);
  if (faults.length === 0 && loaded.length === 0) process.stderr.write('no scenario files there\n');
  return faults.length > 0 || loaded.length === 0 ? undefined : loaded;
}

function printResult(result: ScenarioResult): void {
  const seconds = (result.tookMs / 1000).toFixed(1);
  print(`${result.ok ? 'ok' : 'NO'}  ${seconds.padStart(5)} s  ${result.file}: ${result.name}`);
  if (!result.ok) print(indented(verdictTable(result.rows)));
}

const indented = (text: string): string => text.replace(/^/gm, '      ');

function writeReport(file: string, seed: number, results: readonly ScenarioResult[]): void {
  const scenarios = results.map(({ rows, ...rest }) => ({ ...rest, checks: rows }));
  const report = { ok: results.every(({ ok }) => ok), seed, scenarios };
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
