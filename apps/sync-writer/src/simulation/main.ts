import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { harshFaults, usualFaults, type FaultRates } from './faults.js';
import { simulate, simulateUsualDesigns, type SimulationReport } from './simulate.js';

const usage = `npm run simulate -- [--worlds N] [--seed S] [--faults usual|harsh] [--report FILE]
Runs the sync-writer's own code through N worlds of faults, the first from seed S; ends with 1 when a
world ends with a record twice, missing, unsettled or different.`;

const main = async (): Promise<number> => {
  const { worlds, seed, rates, report } = readOptions();
  const startedMs = performance.now();
  const result = await simulate({ worlds, seed, rates }, (done, violations) => {
    if (done % 100 === 0)
      say(`${String(done)} of ${String(worlds)} worlds, ${String(violations)} faulty`);
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  print(result, seconds);
  const some = Math.min(worlds, 500);
  const designs = await simulateUsualDesigns({ worlds: some, seed, rates });
  for (const { name, violations } of designs)
    say(`${name}: ${String(violations)} of ${String(some)} worlds faulty`);
  const written = { ...result, designWorlds: some, designs };
  if (report !== undefined) writeFileSync(report, `${JSON.stringify(written, null, 2)}\n`);
  return result.violations === 0 ? 0 : 1;
};

const faultRates: Readonly<Record<string, FaultRates | undefined>> = {
  usual: usualFaults,
  harsh: harshFaults,
};

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      worlds: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: 'usual' },
      report: { type: 'string' },
    },
  });
  const [worlds, seed] = [Number(values.worlds), Number(values.seed)];
  if (!Number.isInteger(worlds) || worlds < 1 || !Number.isInteger(seed))
    throw new RangeError(`worlds and seed are whole numbers, worlds at least 1\n${usage}`);
  const rates = faultRates[values.faults];
  if (rates === undefined) throw new RangeError(`faults are usual or harsh\n${usage}`);
  return { worlds, seed, rates, report: values.report };
};

const print = (result: SimulationReport, seconds: number): void => {
  for (const { seed, violations } of result.faulty.slice(0, 20))
    say(`seed ${String(seed)}: ${violations.join('; ')}`);
  for (const [fault, count] of Object.entries(result.faults).sort())
    say(`${fault.padEnd(16)}${String(count).padStart(9)}`);
  say(
    `${String(result.worlds)} worlds from seed ${String(result.seed)}, ` +
      `${(result.worlds / seconds).toFixed(0)} a second: ${String(result.violations)} faulty`,
  );
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
