import { createFence } from './fence.js';

test('whoever asks while one is under way waits for one that begins later, and shares it', async () => {
  const ends: (() => void)[] = [];
  const fence = createFence(() => new Promise<null>((resolve) => ends.push(() => resolve(null))));
  const done: string[] = [];
  const ask = (name: string): Promise<unknown> => fence(1).then(() => done.push(name));
  const all = [ask('first'), ask('second'), ask('third')];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await all[0];
  expect(done).toEqual(['first']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await Promise.all(all);
  expect(done).toEqual(['first', 'second', 'third']);
});
