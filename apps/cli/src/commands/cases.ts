import type { Command } from 'commander';
import { readTarget, targetOptions, type TargetFlags } from './target.js';

interface CasesFlags extends TargetFlags {
  readonly tenant: string;
  readonly state?: string;
  readonly json?: boolean;
}

interface CaseRow {
  readonly caseId: string;
  readonly class: string;
  readonly state: string;
  readonly assignee: string | null;
  readonly code: string;
  readonly detail: string;
  readonly openedAt: string;
}

const columns: readonly (readonly [string, (row: CaseRow) => string])[] = [
  ['CASE', (row) => row.caseId],
  ['CLASS', (row) => row.class],
  ['STATE', (row) => row.state],
  ['OWNER', (row) => row.assignee ?? '-'],
  ['OPENED', (row) => row.openedAt],
  ['CODE', (row) => row.code],
  ['WHAT TO DO', (row) => row.detail],
];

/** `counterpart cases`: unsettled work that a person owns. */
export function addCasesCommand(program: Command): void {
  const command = program
    .command('cases')
    .description('list unsettled work that has an owner')
    .requiredOption('--tenant <id>', 'whose cases')
    .option('--state <state>', 'open, assigned or settled')
    .option('--json', 'print JSON');
  targetOptions(command).action(async (flags: CasesFlags) => {
    const cases = await readCases(flags);
    process.stdout.write(
      flags.json === true ? `${JSON.stringify(cases, undefined, 2)}\n` : table(cases),
    );
  });
}

async function readCases(flags: CasesFlags): Promise<readonly CaseRow[]> {
  const { reconcilerUrl } = readTarget(flags);
  if (reconcilerUrl === undefined)
    throw new Error('the reconciler keeps the cases: name it with --services reconciler=<url>');
  const url = new URL('/operator/cases', reconcilerUrl);
  url.searchParams.set('tenant', flags.tenant);
  if (flags.state !== undefined) url.searchParams.set('state', flags.state);
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new Error(`the reconciler does not answer at ${reconcilerUrl}: is it running?`);
  });
  if (!response.ok)
    throw new Error(`the reconciler answered ${response.status} at ${url.pathname}`);
  return ((await response.json()) as { cases: CaseRow[] }).cases;
}

function table(cases: readonly CaseRow[]): string {
  if (cases.length === 0) return 'no cases\n';
  const lines = [
    columns.map(([title]) => title),
    ...cases.map((row) => columns.map(([, read]) => read(row))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
