import { asOperationId, asSourceId, asTenantId, type OperationId } from '@counterpart/sync-model';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import type { ProbeEnding, ReadbackStore } from '../../application/ports.js';
import { findingOfReadback } from '../../domain/finding.js';
import type { Readback } from '../../domain/readback.js';
import { findingOfProbe } from '@counterpart/crm-port';
import { readbackEvent } from '../../domain/readback-event.js';
import { saveAsJson, savedMessages } from '../../testing/stores.js';
import { aResult, anUnknown } from '../../testing/values.js';
import { createCaseStore } from './case-store.js';
import { createReadbackStore } from './readback-store.js';

let scratch: ScratchDatabase;
let store: ReadbackStore;
beforeAll(async () => {
  scratch = await scratchDatabase('reconciler');
  store = createReadbackStore(scratch.db, saveAsJson);
});
afterAll(() => scratch.drop());
beforeEach(() =>
  scratch.owner.query(
    'truncate reconcile.readbacks, reconcile.cases, reconcile.case_changes, reconcile.outbox',
  ),
);

const opId = (n: number): OperationId =>
  asOperationId(`00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
const keep = (...unknowns: ReturnType<typeof anUnknown>[]): Promise<void> =>
  store.keep(
    unknowns.map((value) => ({ value, traceparent: '00-trace-span-01' })),
    [],
  );
const tokenA = '00000000-0000-0000-0000-00000000aaaa';
const tokenB = '00000000-0000-0000-0000-00000000bbbb';
type Question = Parameters<ReadbackStore['takeDue']>[0];
const take = (change: Partial<Question> = {}): Promise<readonly Readback[]> =>
  store.takeDue({
    nowMs: 20_000,
    leaseToken: tokenA,
    leaseMs: 5_000,
    busy: [],
    perSource: 100,
    limit: 100,
    ...change,
  });
const stateOf = async (): Promise<object[]> =>
  scratch.db.query(
    'select state, attempts, last_code, fields from reconcile.readbacks order by operation_id',
  );
const ending = (readback: Readback, change: Partial<ProbeEnding> = {}): ProbeEnding => ({
  readback,
  leaseToken: tokenA,
  code: 'absent',
  finding: null,
  next: {
    state: 'answered',
    event: readbackEvent(readback, findingOfProbe(readback, { kind: 'not-made' }), 20_000),
  },
  ...change,
});
const only = (readbacks: readonly Readback[]): Readback => {
  const [first] = readbacks;
  if (first === undefined || readbacks.length > 1) throw new Error(`${readbacks.length} readbacks`);
  return first;
};

test('nothing is due before the settle time, and what is taken is whole', async () => {
  await keep(anUnknown({ settleAtMs: 10_000 }));
  expect(await take({ nowMs: 10_000 })).toEqual([]);
  expect(only(await take({ nowMs: 10_251 }))).toMatchObject({
    tenantId: 'acme',
    operationVersion: 1,
    settleAtMs: 10_000,
    fields: { email: 'ann@acme.test' },
    attempts: 0,
    traceparent: '00-trace-span-01',
  });
});

test('the same statement again, or an older one, changes nothing; a newer one begins again', async () => {
  await keep(anUnknown({ operationVersion: 2 }));
  await store.end([ending(only(await take()))], 20_000);
  await keep(anUnknown({ operationVersion: 2 }), anUnknown({ operationVersion: 1 }));
  expect(await stateOf()).toMatchObject([{ state: 'answered' }]);
  await keep(anUnknown({ operationVersion: 3 }), anUnknown({ operationVersion: 4 }));
  expect(await stateOf()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  expect(only(await take())).toMatchObject({ operationVersion: 4 });
});

test('a readback is taken by one, until the lease ends', async () => {
  await keep(anUnknown());
  const takes = await Promise.all(Array.from({ length: 8 }, () => take()));
  expect(takes.flat()).toHaveLength(1);
  expect(await take({ nowMs: 24_999 })).toEqual([]);
  expect(await take({ nowMs: 25_001 })).toHaveLength(1);
});

test('workers side by side take everything once', async () => {
  await keep(...Array.from({ length: 200 }, (_, n) => anUnknown({ operationId: opId(n) })));
  const takes = await Promise.all(Array.from({ length: 10 }, () => take({ limit: 30 })));
  const ids = takes.flat().map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  let rest = ids.length;
  for (let more = 1; more > 0; rest += more) more = (await take({ limit: 50 })).length;
  expect(rest).toBe(200);
});

test('one source with many does not keep the others waiting, and busy ones are left alone', async () => {
  const of = (n: number, sourceId: string, settleAtMs: number) =>
    anUnknown({ operationId: opId(n), sourceId: asSourceId(sourceId), settleAtMs });
  await keep(...Array.from({ length: 50 }, (_, n) => of(n, 'crm', 1_000 + n)));
  await keep(of(90, 'other', 9_000), { ...of(91, 'crm', 9_500), tenantId: asTenantId('globex') });
  const taken = await take({ perSource: 10, limit: 12 });
  const counts = new Map<string, number>();
  for (const { tenantId, sourceId } of taken) {
    const key = `${tenantId}/${sourceId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({ 'acme/crm': 10, 'acme/other': 1, 'globex/crm': 1 });
  const busy = [{ tenantId: asTenantId('acme'), sourceId: asSourceId('crm') }];
  expect(await take({ busy })).toEqual([]);
  expect(await take({ perSource: 5 })).toHaveLength(5);
});

test('an answer is stored with its event once, and what was sent is forgotten', async () => {
  await keep(anUnknown());
  const readback = only(await take());
  await store.end([ending(readback)], 20_000);
  await store.end([ending(readback)], 20_000);
  expect(await stateOf()).toEqual([
    { state: 'answered', attempts: 1, last_code: 'absent', fields: {} },
  ]);
  const messages = await savedMessages(scratch.db);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({
    topic: 'counterpart.source-events.v1',
    value: { kind: 'readback', readback: { verdict: 'absent' } },
    headers: { traceparent: '00-trace-span-01' },
  });
});

test('whoever lost the lease stores nothing', async () => {
  await keep(anUnknown());
  const slow = only(await take());
  const quick = only(await take({ nowMs: 30_000, leaseToken: tokenB }));
  await store.end([ending(slow)], 30_000);
  expect(await savedMessages(scratch.db)).toEqual([]);
  await store.end([ending(quick, { leaseToken: tokenB })], 30_000);
  expect(await savedMessages(scratch.db)).toHaveLength(1);
});

test('a probe that could not be made waits, charged or not', async () => {
  await keep(anUnknown());
  const readback = only(await take());
  const wait = { state: 'waiting', dueAtMs: 40_000, counts: true } as const;
  await store.end([ending(readback, { next: wait, code: 'connection-lost' })], 20_000);
  expect(await stateOf()).toMatchObject([
    {
      state: 'waiting',
      attempts: 1,
      last_code: 'connection-lost',
      fields: { email: 'ann@acme.test' },
    },
  ]);
  expect(await take({ nowMs: 39_999 })).toEqual([]);
  const again = only(await take({ nowMs: 40_001 }));
  await store.end([ending(again, { next: { ...wait, counts: false } })], 40_001);
  expect(await stateOf()).toMatchObject([{ attempts: 1 }]);
});

describe('with a settled result of the operation', () => {
  const settled = aResult({ outcome: 'reconciled', operationVersion: 2 });
  const giveUp = (readback: Readback): ProbeEnding =>
    ending(readback, {
      next: { state: 'given-up' },
      code: 'credentials',
      finding: findingOfReadback(readback, { kind: 'given-up', code: 'credentials' }, 20_000),
    });
  const caseStates = (): Promise<object[]> =>
    scratch.db.query('select state, case_class from reconcile.cases');

  test('a waiting readback is overtaken, and its probe neither tells nor opens anything', async () => {
    await keep(anUnknown());
    const readback = only(await take());
    await createCaseStore(scratch.db, saveAsJson).followResults([settled], []);
    await store.end([giveUp(readback)], 20_000);
    expect(await stateOf()).toMatchObject([{ state: 'overtaken', fields: {} }]);
    expect(await caseStates()).toEqual([]);
  });

  test('a case that the readback opened is settled', async () => {
    await keep(anUnknown());
    await store.end([giveUp(only(await take()))], 20_000);
    expect(await caseStates()).toEqual([{ state: 'open', case_class: 'credentials' }]);
    await createCaseStore(scratch.db, saveAsJson).followResults([settled], []);
    expect(await caseStates()).toEqual([{ state: 'settled', case_class: 'credentials' }]);
    expect(await stateOf()).toMatchObject([{ state: 'overtaken' }]);
  });

  test('both at once leave no open case behind', async () => {
    for (let round = 0; round < 30; round += 1) {
      const operationId = opId(1_000 + round);
      await keep(anUnknown({ operationId }));
      const readback = only(await take());
      const cases = createCaseStore(scratch.db, saveAsJson);
      await Promise.all([
        store.end([giveUp(readback)], 20_000),
        cases.followResults([{ ...settled, operationId }], []),
      ]);
    }
    const open = await scratch.db.query(`select 1 from reconcile.cases where state <> 'settled'`);
    expect(open).toEqual([]);
  });
});
