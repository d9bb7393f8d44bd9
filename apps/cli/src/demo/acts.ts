import { basename } from 'node:path';
import type { LoadedScenario, ScenarioResult } from '@counterpart/scenario';

/** One act of the demo: a scenario file whose name begins with its number. */
export interface Act {
  readonly number: string;
  readonly loaded: LoadedScenario;
}

/** The acts in the order of the story. */
export function actsOf(loaded: readonly LoadedScenario[]): readonly Act[] {
  const acts = loaded.map((one) => ({ number: numberOf(one.file), loaded: one }));
  return acts.toSorted((a, b) => a.number.localeCompare(b.number));
}

const numberOf = (file: string): string => /^\d+/.exec(basename(file))?.[0] ?? basename(file);

export interface DemoReport {
  readonly ok: boolean;
  readonly seed: number;
  readonly acts: readonly {
    readonly name: string;
    readonly checks: ScenarioResult['rows'];
  }[];
}

/** The verdict as data. An act that gave no result at all is not ok. */
export function reportOf(
  acts: readonly Act[],
  results: readonly ScenarioResult[],
  seed: number,
): DemoReport {
  const byFile = new Map(results.map((result) => [result.file, result]));
  return {
    ok: acts.every(({ loaded }) => byFile.get(loaded.file)?.ok === true),
    seed,
    acts: acts.map(({ number, loaded }) => ({
      name: `${number}. ${loaded.scenario.name}`,
      checks: byFile.get(loaded.file)?.rows ?? [],
    })),
  };
}
