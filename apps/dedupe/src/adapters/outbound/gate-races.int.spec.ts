import { asExternalId } from '@counterpart/sync-model';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { anEvent, told } from '../../domain/testing-events.js';
import { aReport, deadLetters, operations, storeOn, take } from '../../testing/gate.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('dedupe');
});
afterEach(() => scratch.drop());

const workers = (count: number) =>
  [...Array(count).keys()].map(() => storeOn(scratch.as('dedupe')));

test('six consumers of the same partition hand on each event once, in the order of its record', async () => {
  const events = [...Array(300).keys()].map((n) =>
    anEvent({
      id: `E${n}`,
      externalId: asExternalId(`C${n % 30}`),
      revision: String(n + 1),
      fields: { a: n },
    }),
  );
  // Batches of different sizes, so that the workers meet in the middle of each other's work.
  await Promise.all(
    workers(6).map(async (worker, w) => {
      const size = 20 + 7 * w;
      for (let from = 0; from < events.length; from += size)
        await take(worker, events.slice(from, from + size));
    }),
  );
  const passed = await operations(scratch.db);
  expect(passed).toHaveLength(events.length);
  for (const record of new Set(passed.map(({ key }) => key))) {
    const revisions = passed
      .filter(({ key }) => key === record)
      .map(({ event }) => Number(event.revision));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  }
}, 60_000);

test('one event key for two records at once: one goes on, the other is a conflict', async () => {
  const pairs = [...Array(20).keys()].map((n) =>
    ['left', 'right'].map((side) =>
      anEvent({ id: `E${n}`, externalId: asExternalId(side), fields: { a: n } }),
    ),
  );
  const [one, two] = workers(2);
  if (one === undefined || two === undefined) throw new Error('two workers');
  for (const [left, right] of pairs) {
    if (left === undefined || right === undefined) continue;
    const answers = await Promise.all([take(one, [left]), take(two, [right])]);
    expect(answers.flat().map(told).sort()).toEqual([
      'conflict event-key-other-record',
      'forward new',
    ]);
  }
  expect(await operations(scratch.db)).toHaveLength(pairs.length);
  expect(await deadLetters(scratch.db)).toHaveLength(pairs.length);
});

test('the same keys in opposite order do not stop each other for good', async () => {
  const batch = (side: string) =>
    [...Array(50).keys()].map((n) =>
      anEvent({ id: `E${n}`, externalId: asExternalId(side), fields: { a: n } }),
    );
  const [one, two] = workers(2);
  if (one === undefined || two === undefined) throw new Error('two workers');
  await Promise.all([take(one, batch('left')), take(two, batch('right').reverse())]);
  expect(await operations(scratch.db)).toHaveLength(50);
});

test('a late report that meets the edit never hides the way back to our value', async () => {
  const [events, reports] = workers(2);
  if (events === undefined || reports === undefined) throw new Error('two workers');
  for (let n = 0; n < 30; n += 1) {
    const at = { externalId: asExternalId(`C${n}`) };
    const edit = anEvent({ ...at, id: `edit${n}`, fields: { a: 'human' }, receivedAtMs: 1000 });
    const report = aReport(edit, { a: 'W' }, { writtenAtMs: 900 });
    await Promise.all([take(events, [edit]), reports.remember([report], [])]);
    const back = anEvent({ ...at, id: `back${n}`, fields: { a: 'W' }, receivedAtMs: 1100 });
    expect((await take(events, [back])).map(told)).toEqual(['forward new']);
  }
});
