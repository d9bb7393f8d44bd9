import { Command, CommanderError } from 'commander';
import { addApplyCommand } from './commands/apply.js';
import { addCasesCommand } from './commands/cases.js';
import { addDemoCommand } from './commands/demo.js';
import { addScenarioCommand } from './commands/scenario.js';

/** 0: done. 1: something does not answer or did not pass. 2: the call, or what it names, is wrong. */
const exit = { failed: 1, wrongCall: 2 } as const;

/** Every command, one file each under `commands/`. */
function createProgram(): Command {
  const program = new Command('counterpart')
    .description('Two-way CRM sync that never makes two records where there should be one.')
    .exitOverride();
  addApplyCommand(program);
  addCasesCommand(program);
  addScenarioCommand(program);
  addDemoCommand(program);
  return program;
}

/** Runs one command line (without node and script); sets the exit code and never throws. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already said what is wrong with the call; help is no error.
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? 0 : exit.wrongCall;
    else {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = exit.failed;
    }
  }
}
