import { harshFaults, noFaults, usualFaults, type FaultRates } from './faults.js';
import { sabotages, type Sabotage } from './sabotage.js';
import { simulate, simulateUsualDesigns } from './simulate.js';

/** A sample; `npm run simulate` runs as many as one likes. */
const worlds = 250;

test.each([
  [
    'usual',
    usualFaults,
    [
      19, 66, 79, 128, 142, 152, 158, 213, 249, 295, 363, 375, 381, 503, 599, 944, 1240, 1785, 3076,
      101325101,
    ],
  ],
  ['harsh', harshFaults, [187, 245, 475, 718, 961, 986, 1309, 1340, 70124, 70478, 74459]],
])(
  'worlds of %s faults that once ended badly end well',
  async (_name, rates, seeds) => {
    for (const seed of seeds)
      expect((await simulate({ worlds: 1, seed, rates })).faulty).toEqual([]);
  },
  60_000,
);

test.each([
  ['usual', usualFaults],
  ['harsh', harshFaults],
])(
  'worlds of %s faults end well',
  async (_name, rates) => {
    const seed = 1_000_000;
    const { faulty, faults } = await simulate({ worlds, seed, rates });
    expect(faulty).toEqual([]);
    expect(Object.keys(faults).sort()).toEqual(Object.keys(usualFaults).sort());
  },
  120_000,
);

test('one seed is one world', async () => {
  const run = () => simulate({ worlds: 5, seed: 7, rates: usualFaults });
  expect(await run()).toEqual(await run());
});

test('a world without faults ends well, too', async () => {
  expect(await simulate({ worlds: 20, seed: 1, rates: noFaults })).toMatchObject({ faulty: [] });
}, 30_000);

describe('the checker sees a fault that is built in', () => {
  /** With a seed shortly before the first world that is known to show it. */
  const seen: Readonly<Record<Sabotage, readonly [FaultRates, number]>> = {
    'claim-ignored': [harshFaults, 1],
    'retry-on-unknown': [harshFaults, 1],
    'fence-removed': [harshFaults, 180],
    'absence-believed-early': [harshFaults, 130],
    'lane-epoch-ignored': [harshFaults, 120],
  };
  test.each(sabotages)(
    '%s',
    async (sabotage) => {
      const [rates, first] = seen[sabotage];
      for (let seed = first; seed < first + 3_000; seed += 20) {
        const { violations } = await simulate({ worlds: 20, seed, rates, sabotage });
        if (violations > 0) return;
      }
      throw new Error(`${sabotage} was not seen`);
    },
    120_000,
  );
});

test('the usual designs do not hold in these worlds', async () => {
  const designs = await simulateUsualDesigns({ worlds: 100, seed: 1, rates: usualFaults });
  for (const { violations } of designs) expect(violations).toBeGreaterThan(0);
}, 60_000);
