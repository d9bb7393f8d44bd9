import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import { faultLine, loadScenarios, runAll, verdictTable } from '@counterpart/scenario';
import type { LoadedScenario, ScenarioResult } from '@counterpart/scenario';
import { actsOf, reportOf } from '../demo/acts.js';
import type { Act, DemoReport } from '../demo/acts.js';
import { StoryPrinter } from '../demo/story-printer.js';
import { checkoutRoot, StackUnavailable, withStack } from './open-stack.js';
import type { StackParts } from './open-stack.js';
import { wholeNumber } from './whole-number.js';

interface DemoFlags {
  readonly stack: string;
  readonly seed: number;
  readonly report?: string;
  readonly provider: string;
}

/** `counterpart demo`: plays the story against a stack that is already running. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('play the story of the demo against a running stack, and print the verdict')
    .option('--stack <name>', 'name of the running stack', 'demo')
    .option('--seed <n>', 'repeats the misbehaviour of the simulated CRM', wholeNumber(0), 1)
    .option('--report <file>', 'write the verdict as JSON')
    .option('--provider <name>', 'which CRM is simulated', 'hubspot')
    .action(async (flags: DemoFlags) => {
      process.exitCode = await playDemo(flags);
    });
}

/** More at once would crowd two cores, and the clock of each act would lie. */
const actsAtOnce = 3;

async function playDemo(flags: DemoFlags): Promise<number> {
  if (flags.provider !== 'hubspot') return refuse(`no story is written for ${flags.provider} yet`);
  const folder = relative(process.cwd(), join(checkoutRoot, 'scenarios', 'demo'));
  const { loaded, faults } = loadScenarios([folder]);
  if (faults.length > 0) return refuse(faults.map(faultLine).join('\n'));
  const acts = actsOf(loaded);
  try {
    const results = await withStack(flags.stack, (parts) => playActs(acts, parts, flags.seed));
    return verdict(reportOf(acts, results, flags.seed), flags.report);
  } catch (error) {
    if (!(error instanceof StackUnavailable)) throw error;
    return refuse(error.message);
  }
}

function playActs(
  acts: readonly Act[],
  parts: StackParts,
  seed: number,
): Promise<readonly ScenarioResult[]> {
  const printer = new StoryPrinter(acts, print);
  const actOf = (loaded: LoadedScenario): Act =>
    acts.find((act) => act.loaded === loaded) ?? { number: '', loaded };
  return runAll(
    acts.map((act) => act.loaded),
    {
      ...parts,
      seed,
      concurrency: actsAtOnce,
      onLine: (loaded, line) => printer.line(actOf(loaded), line),
      onDone: (loaded, result) => printer.done(actOf(loaded), result),
    },
  );
}

function verdict(report: DemoReport, file: string | undefined): number {
  const rows = report.acts.flatMap(({ name, checks }) =>
    checks.map((row) => ({ label: name.split('.')[0] ?? name, ...row })),
  );
  print(`\n${verdictTable(rows)}\n`);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  const good = rows.filter(({ ok }) => ok).length;
  print(
    `${report.ok ? 'The promise holds' : 'The promise is broken'}: ${good} of ${rows.length} checks (seed ${report.seed})`,
  );
  return report.ok ? 0 : 1;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
