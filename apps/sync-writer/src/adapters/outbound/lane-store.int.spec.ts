import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asExternalId } from '@counterpart/sync-model';
import type { LaneEnding } from '../../application/ports.js';
import { endEarly } from '../../domain/end-item.js';
import type { WorkItem } from '../../domain/work.js';
import { event } from '../../testing/builders.js';
import { laneStoreOn } from '../../testing/worker.js';
import { keepOperations } from './inbox.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const push = (...names: readonly string[]) =>
  keepOperations(
    scratch.db,
    names.map((name) => ({
      operation: {
        event: event({ externalId: asExternalId('c-1'), originDetail: name }),
        gate: { reason: 'new', suppressed: [], decidedAtMs: 0 },
      },
      traceparent: null,
    })),
  );
const takeOne = async (owner: string): Promise<WorkItem | undefined> =>
  (await laneStoreOn(scratch.db, owner).take({ limit: 10, busy: [] }))[0];
const settled = (item: WorkItem): LaneEnding => ({
  ...item,
  ...endEarly(item, { kind: 'settled', entityId: null, outcome: 'no-op', reason: 'spec' }, 0),
});
const expireLeases = () => scratch.db.query('update sync.lanes set due_at = now()');
const told = () => scratch.db.query('select topic from sync.outbox');

test('a lane gives its events one by one, in the order of their arrival', async () => {
  await push('first', 'second');
  const names: string[] = [];
  for (;;) {
    const item = await takeOne('w1');
    if (item === undefined) break;
    names.push(item.operation.event.originDetail);
    expect(await takeOne('w2')).toBeUndefined();
    await laneStoreOn(scratch.db, 'w1').finish([settled(item)]);
  }
  expect(names).toEqual(['first', 'second']);
  expect(await told()).toHaveLength(2);
});

test('an owner that was overtaken settles nothing and tells nothing', async () => {
  await push('first');
  const paused = await takeOne('w1');
  await expireLeases();
  const successor = await takeOne('w2');
  if (paused === undefined || successor === undefined) throw new Error('nothing was taken');
  await laneStoreOn(scratch.db, 'w1').finish([settled(paused)]);
  expect(await told()).toEqual([]);
  expect(await scratch.db.query('select 1 from sync.inbox where settled_at is null')).toHaveLength(
    1,
  );
  await laneStoreOn(scratch.db, 'w2').finish([settled(successor)]);
  expect(await told()).toHaveLength(1);
});

test('an owner that was overtaken does not put the lane back', async () => {
  await push('first');
  const paused = await takeOne('w1');
  await expireLeases();
  await takeOne('w2');
  if (paused === undefined) throw new Error('nothing was taken');
  const back = { kind: 'deferred', dueAtMs: 0, waitingOn: null, counts: true } as const;
  await laneStoreOn(scratch.db, 'w1').finish([{ ...paused, ...back }]);
  expect(await takeOne('w3')).toBeUndefined();
});

test('a lane that waits for a claim is due at once when nobody holds it any more', async () => {
  await push('first');
  const item = await takeOne('w1');
  if (item === undefined) throw new Error('nothing was taken');
  const waiting = {
    kind: 'deferred',
    dueAtMs: Date.now() + 60_000,
    waitingOn: item.laneId,
    counts: false,
  } as const;
  await laneStoreOn(scratch.db, 'w1').finish([{ ...item, ...waiting }]);
  expect(await takeOne('w2')).toMatchObject({ laneId: item.laneId, attempts: 0 });
});
