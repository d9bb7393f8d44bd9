import type { InboundMessage } from './messages.js';
import { TopicBatches, type FetchedPart, type Position } from './topic-batches.js';

const messageOf = (partition: number, offset: number): InboundMessage => ({
  topic: 't',
  partition,
  offset: String(offset),
  key: '',
  value: Buffer.alloc(0),
  headers: {},
  timestampMs: 0,
});

interface World {
  readonly batches: TopicBatches;
  /** `partition:offset` of each message, by handler call. */
  readonly calls: string[][];
  readonly committed: Position[][];
  readonly held: number[];
  readonly resumedAt: Map<number, string>;
  fetch(
    partition: number,
    from: number,
    count: number,
    given?: Partial<FetchedPart>,
  ): Promise<void>;
}

function world(
  handle: (call: readonly string[]) => void | Promise<void> = () => undefined,
  messagesMax = 100,
): World {
  const calls: string[][] = [];
  const committed: Position[][] = [];
  const held: number[] = [];
  const resumedAt = new Map<number, string>();
  const batches = new TopicBatches({
    messagesMax,
    handle: async (batch) => {
      const call = batch.map(({ partition, offset }) => `${partition}:${offset}`);
      calls.push(call);
      await handle(call);
    },
    hold: (partition) => held.push(partition),
    release: () => undefined,
  });
  return {
    batches,
    calls,
    committed,
    held,
    resumedAt,
    fetch: (partition, from, count, given = {}) =>
      batches.take({
        partition,
        messages: Array.from({ length: count }, (_, n) => messageOf(partition, from + n)),
        isOwned: () => true,
        isWanted: () => true,
        commit: async (positions) => {
          await Promise.resolve();
          committed.push([...positions]);
        },
        advance: ({ partition: moved, offset }) => resumedAt.set(moved, offset),
        ...given,
      }),
  };
}

test('what one fetch brings for several partitions is handled and committed together', async () => {
  const { fetch, calls, committed, resumedAt } = world();
  await Promise.all([fetch(0, 5, 2), fetch(1, 9, 1)]);
  expect(calls).toEqual([['0:5', '0:6', '1:9']]);
  expect(committed).toEqual([
    [
      { partition: 0, offset: '7' },
      { partition: 1, offset: '10' },
    ],
  ]);
  expect([...resumedAt]).toEqual([
    [0, '7'],
    [1, '10'],
  ]);
});

test('what arrives while a call runs gathers for the next one, one call at a time', async () => {
  let release = (): void => undefined;
  let running = 0;
  const { fetch, calls } = world(async () => {
    running += 1;
    expect(running).toBe(1);
    if (calls.length === 1) await new Promise<void>((resolve) => (release = resolve));
    running -= 1;
  });
  const first = fetch(0, 0, 1);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const later = [fetch(1, 0, 1), fetch(2, 0, 1)];
  release();
  await Promise.all([first, ...later]);
  expect(calls).toEqual([['0:0'], ['1:0', '2:0']]);
});

test('a long partition is cut, in order, and does not keep the others waiting', async () => {
  const { fetch, calls } = world(undefined, 2);
  await Promise.all([fetch(0, 0, 5), fetch(1, 0, 1)]);
  expect(calls).toEqual([
    ['0:0', '0:1'],
    ['1:0', '0:2'],
    ['0:3', '0:4'],
  ]);
});

test('after a failure partitions go alone, and only the bad one is held', async () => {
  const { fetch, calls, held, committed } = world((call) => {
    if (call.includes('1:0')) throw new Error('bad');
  });
  const fetchAll = (): Promise<unknown> =>
    Promise.all([fetch(0, 0, 1), fetch(1, 0, 1), fetch(2, 0, 1)]);
  await fetchAll();
  expect([held, committed]).toEqual([[], []]);
  await fetchAll();
  expect(held).toEqual([1]);
  await Promise.all([fetch(0, 1, 1), fetch(2, 1, 1)]);
  expect(calls).toEqual([['0:0', '1:0', '2:0'], ['0:0'], ['1:0'], ['2:0'], ['0:1', '2:1']]);
});

test('an offset that cannot be committed is not passed: the messages come again', async () => {
  const { fetch, calls, held, resumedAt } = world();
  const commit = (): Promise<void> => Promise.reject(new Error('not coordinator'));
  await fetch(0, 0, 1, { commit });
  expect([held, resumedAt.size]).toEqual([[0], 0]);
  await fetch(0, 0, 1);
  expect(calls).toEqual([['0:0'], ['0:0']]);
  expect(resumedAt.get(0)).toBe('1');
});

test('a partition lost while its call ran is handled but not committed, its neighbour is', async () => {
  let isOwned = true;
  const { fetch, committed, resumedAt } = world(() => {
    isOwned = false;
  });
  await Promise.all([fetch(0, 0, 1, { isOwned: () => isOwned }), fetch(1, 0, 1)]);
  expect(committed).toEqual([[{ partition: 1, offset: '1' }]]);
  expect([...resumedAt.keys()]).toEqual([1]);
});

test('what was not begun when reading stopped is left; what runs is finished and committed', async () => {
  let isWanted = true;
  const { fetch, batches, calls, committed } = world(() => {
    isWanted = false;
  }, 1);
  const taken = Promise.all([
    fetch(0, 0, 1, { isWanted: () => isWanted }),
    fetch(1, 0, 1, { isWanted: () => isWanted }),
  ]);
  await batches.idle();
  await taken;
  expect(calls).toEqual([['0:0']]);
  expect(committed).toEqual([[{ partition: 0, offset: '1' }]]);
});

test('offsets beyond what a number holds', async () => {
  const { batches, committed, fetch } = world();
  const message = { ...messageOf(0, 0), offset: '9007199254740993' };
  await fetch(0, 0, 0);
  await batches.take({
    partition: 0,
    messages: [message],
    isOwned: () => true,
    isWanted: () => true,
    commit: (positions) => Promise.resolve(void committed.push([...positions])),
    advance: () => undefined,
  });
  expect(committed.at(-1)).toEqual([{ partition: 0, offset: '9007199254740994' }]);
});
