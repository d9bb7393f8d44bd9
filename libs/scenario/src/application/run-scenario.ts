import type { CheckRow } from '../domain/verdict.js';
import type { Scenario } from '../format/scenario.js';
import { evaluate } from './evaluate.js';
import { invariantRows } from './invariant-evidence.js';
import { closeWorld, openWorld } from './open-world.js';
import type { WorldOptions } from './open-world.js';
import { runSteps } from './run-step.js';
import type { World } from './world.js';

export interface ScenarioResult {
  readonly name: string;
  readonly file: string;
  readonly ok: boolean;
  readonly tookMs: number;
  readonly rows: readonly CheckRow[];
}

/** Plays one scenario from its first step to its last check. Never throws: a fault is a row. */
export async function runScenario(
  scenario: Scenario,
  options: WorldOptions,
): Promise<ScenarioResult> {
  const startedAtMs = Date.now();
  const rows = await rowsOf(scenario, options);
  return {
    name: scenario.name,
    file: options.file,
    ok: rows.every(({ ok }) => ok),
    tookMs: Date.now() - startedAtMs,
    rows,
  };
}

async function rowsOf(scenario: Scenario, options: WorldOptions): Promise<readonly CheckRow[]> {
  let world: World | undefined;
  try {
    world = await openWorld(scenario, options);
    return await play(world, options);
  } catch (error) {
    const measured = error instanceof Error ? error.message : String(error);
    return [{ name: 'the story', expected: 'plays to its end', measured, ok: false }];
  } finally {
    if (scenario.exclusive === true) await options.control.heal();
    if (world) await closeWorld(world).catch(() => undefined);
  }
}

async function play(world: World, options: WorldOptions): Promise<readonly CheckRow[]> {
  const { steps, then } = world.scenario;
  const told = await runSteps(world, steps, options);
  if (told.some(({ ok }) => !ok)) return told;
  const checked = [];
  for (const check of then) checked.push(...(await evaluate(world, check)));
  const standing = world.scenario.against === undefined ? await invariantRows(world) : [];
  return [...told, ...checked, ...standing];
}
