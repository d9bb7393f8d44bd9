import { Command } from 'commander';
import { addApplyCommand } from './commands/apply.js';
import { addCasesCommand } from './commands/cases.js';
import { addDemoCommand } from './commands/demo.js';
import { addScenarioCommand } from './commands/scenario.js';

const program = new Command('counterpart').description(
  'Two-way CRM sync that never makes two records where there should be one.',
);
addApplyCommand(program);
addCasesCommand(program);
addScenarioCommand(program);
addDemoCommand(program);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
