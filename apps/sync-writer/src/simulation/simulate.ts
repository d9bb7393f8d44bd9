import { violationsIn } from './check-world.js';
import type { FaultRates } from './faults.js';
import type { Sabotage } from './sabotage.js';
import { SimWorld } from './sim-world.js';
import { runUsualDesign, usualDesigns, type UsualDesign } from './usual-designs.js';

export interface FaultyWorld {
  readonly seed: number;
  readonly violations: readonly string[];
}

export interface SimulationReport {
  readonly worlds: number;
  readonly seed: number;
  readonly violations: number;
  readonly faulty: readonly FaultyWorld[];
  readonly faults: Readonly<Record<string, number>>;
}

/** Runs so many worlds, the first from `seed`; `onWorld` hears of each. */
export const simulate = async (
  question: {
    readonly worlds: number;
    readonly seed: number;
    readonly rates: FaultRates;
    readonly sabotage?: Sabotage;
  },
  onWorld: (done: number, violations: number) => void = () => undefined,
): Promise<SimulationReport> => {
  const faulty: FaultyWorld[] = [];
  const faults: Record<string, number> = {};
  for (let n = 0; n < question.worlds; n += 1) {
    const seed = question.seed + n;
    const world = await new SimWorld(seed, question.rates, question.sabotage).run();
    for (const [name, count] of Object.entries(world.faults))
      faults[name] = (faults[name] ?? 0) + count;
    const violations = violationsIn(world);
    if (violations.length > 0) faulty.push({ seed, violations });
    onWorld(n + 1, faulty.length);
  }
  const { worlds, seed } = question;
  return { worlds, seed, violations: faulty.length, faulty, faults };
};

/** Worlds in which each of the usual designs ended with a record twice or missing. */
export const simulateUsualDesigns = async (question: {
  readonly worlds: number;
  readonly seed: number;
  readonly rates: FaultRates;
}): Promise<readonly { readonly name: UsualDesign; readonly violations: number }[]> => {
  const designs: { name: UsualDesign; violations: number }[] = [];
  for (const name of usualDesigns) {
    let violations = 0;
    for (let n = 0; n < question.worlds; n += 1)
      if ((await runUsualDesign(name, question.seed + n, question.rates)) > 0) violations += 1;
    designs.push({ name, violations });
  }
  return designs;
};
