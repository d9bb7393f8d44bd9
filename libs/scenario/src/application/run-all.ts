import { randomBytes } from 'node:crypto';
import type { LoadedScenario } from '../adapters/load-scenarios.js';
import type { Bus, IntegrationFactory, StackControl, StackEnv } from './ports.js';
import { runScenario } from './run-scenario.js';
import type { ScenarioResult } from './run-scenario.js';

export interface RunOptions {
  readonly env: StackEnv;
  readonly bus: Bus;
  readonly control: StackControl;
  readonly seed: number;
  readonly concurrency: number;
  readonly knownProviders: readonly string[];
  readonly integrations?: Readonly<Record<string, IntegrationFactory>>;
  readonly onLine?: (loaded: LoadedScenario, line: string) => void;
  readonly onDone?: (loaded: LoadedScenario, result: ScenarioResult) => void;
}

/**
 * Plays scenarios side by side, those that touch shared ground afterwards and alone. Results come
 * in the order of `loaded`.
 */
export async function runAll(
  loaded: readonly LoadedScenario[],
  options: RunOptions,
): Promise<readonly ScenarioResult[]> {
  const results = new Map<LoadedScenario, ScenarioResult>();
  const playAll = async (part: readonly LoadedScenario[], width: number): Promise<void> => {
    const queue = [...part];
    const player = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift())
        results.set(next, await play(next, options));
    };
    await Promise.all(Array.from({ length: width }, player));
  };
  await playAll(
    loaded.filter(({ scenario }) => scenario.exclusive !== true),
    options.concurrency,
  );
  await playAll(
    loaded.filter(({ scenario }) => scenario.exclusive === true),
    1,
  );
  return loaded.flatMap((one) => results.get(one) ?? []);
}

async function play(loaded: LoadedScenario, options: RunOptions): Promise<ScenarioResult> {
  const { env, bus, control, seed, knownProviders, integrations = {}, onLine, onDone } = options;
  const result = await runScenario(loaded.scenario, {
    file: loaded.file,
    run: randomBytes(4).toString('hex'),
    seed,
    env,
    bus,
    control,
    knownProviders,
    integrations,
    say: (line) => onLine?.(loaded, line),
  });
  onDone?.(loaded, result);
  return result;
}
