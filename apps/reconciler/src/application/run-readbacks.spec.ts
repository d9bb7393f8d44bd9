import type { CrmAdapter, ProbeItem, ProbeResult } from '@counterpart/crm-port';
import { asOperationId, asSourceId, asExternalId } from '@counterpart/sync-model';
import type { Readback } from '../domain/readback.js';
import { aReadback } from '../testing/values.js';
import type { OpenedSource, ProbeEnding, ReadbackStore, SourceRef } from './ports.js';
import { ReadbackRunner } from './run-readbacks.js';

type Probe = (recordType: string, items: readonly ProbeItem[]) => Promise<readonly ProbeResult[]>;

class MemoryStore implements ReadbackStore {
  readonly ended: ProbeEnding[] = [];
  fails = false;
  constructor(private due: readonly Readback[]) {}
  keep(): Promise<void> {
    return Promise.resolve();
  }
  takeDue({ busy }: { busy: readonly SourceRef[] }): Promise<readonly Readback[]> {
    const isBusy = (readback: Readback): boolean =>
      busy.some(({ sourceId }) => sourceId === readback.sourceId);
    const taken = this.due.filter((readback) => !isBusy(readback));
    this.due = this.due.filter(isBusy);
    return Promise.resolve(taken);
  }
  end(endings: readonly ProbeEnding[]): Promise<void> {
    if (this.fails) return Promise.reject(new Error('the store is away'));
    this.ended.push(...endings);
    return Promise.resolve();
  }
}

interface World {
  readonly store: MemoryStore;
  readonly runner: ReadbackRunner;
  readonly broken: unknown[];
  nowMs: number;
}

function world(due: readonly Readback[], open: (source: string) => OpenedSource): World {
  const store = new MemoryStore(due);
  const broken: unknown[] = [];
  const made: World = {
    store,
    broken,
    nowMs: 20_000,
    runner: new ReadbackRunner({
      store,
      sources: { open: (_tenant, source) => Promise.resolve(open(source)) },
      clock: { nowMs: () => made.nowMs, monotonicMs: () => made.nowMs },
      random: { fraction: () => 0.5, uuid: () => 'lease' },
      observer: { probe: (_readbacks, work) => work(), ended: () => undefined },
      onStored: () => undefined,
      onBroken: (error) => broken.push(error),
    }),
  };
  return made;
}

const probing = (probe: Probe): OpenedSource => ({
  ok: true,
  adapter: { probe } as unknown as CrmAdapter,
});
const opId = (n: number) => asOperationId(`00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
const found: ProbeResult = {
  kind: 'found',
  record: {
    externalId: asExternalId('7'),
    stored: { email: 'a' },
    versionToken: null,
    archived: false,
  },
};

test('a batch of one record type is one question, and each item has its own answer', async () => {
  const asked: string[] = [];
  const results: ProbeResult[] = [
    found,
    { kind: 'absent' },
    { kind: 'ambiguous', records: [] },
    { kind: 'unreadable', code: 'connection-lost', retryAtMs: null },
  ];
  const due = results.map((_, n) => aReadback({ operationId: opId(n) }));
  const company = aReadback({ operationId: opId(9), recordType: 'company' });
  const { runner, store } = world([...due, company], () =>
    probing((type, items) => {
      asked.push(`${type}:${items.length}`);
      return Promise.resolve(type === 'contact' ? results : [found]);
    }),
  );
  expect(await runner.round()).toBe(5);
  await runner.settled();
  expect(asked).toEqual(['contact:4', 'company:1']);
  expect(
    store.ended.map(({ next, code, finding }) => [next.state, code, finding?.kind ?? null]),
  ).toEqual([
    ['answered', 'found', null],
    ['answered', 'absent', null],
    ['answered', 'ambiguous', 'unsettled'],
    ['waiting', 'connection-lost', null],
    ['answered', 'found', null],
  ]);
});

test('absence counts from when the question was asked, not from when it was answered', async () => {
  const made = world([aReadback({ settleAtMs: 20_500 })], () =>
    probing(() => {
      made.nowMs = 30_000;
      return Promise.resolve([{ kind: 'absent' }]);
    }),
  );
  await made.runner.round();
  await made.runner.settled();
  expect(made.store.ended.map(({ next }) => next)).toEqual([
    { state: 'waiting', dueAtMs: 20_500, counts: false },
  ]);
});

test('a source that hangs holds up nobody else, and is not asked twice at once', async () => {
  let answer: (results: readonly ProbeResult[]) => void = () => undefined;
  const hangs = [1, 2].map((n) =>
    aReadback({ operationId: opId(n), sourceId: asSourceId('slow') }),
  );
  const quick = aReadback({ operationId: opId(3), sourceId: asSourceId('quick') });
  let slowAsked = 0;
  const { runner, store } = world([hangs[0]!, quick], (source) =>
    probing(() => {
      if (source === 'quick') return Promise.resolve([found]);
      slowAsked += 1;
      return new Promise((resolve) => (answer = resolve));
    }),
  );
  await runner.round();
  await new Promise(setImmediate);
  expect(store.ended.map(({ readback }) => readback.sourceId)).toEqual(['quick']);
  await runner.round();
  expect(slowAsked).toBe(1);
  answer([found]);
  await runner.settled();
  expect(store.ended).toHaveLength(2);
});

test.each([
  ['its secret is missing', 'secret-missing', 'credentials'],
  ['its plan is gone', 'no-plan', 'unknown-outcome'],
])(
  'a source that cannot be opened because %s waits, then is somebody’s case',
  async (_what, code, caseClass) => {
    const closed: OpenedSource = { ok: false, code, retryAtMs: null };
    const fresh = aReadback({ operationId: opId(1), settleAtMs: 20_000 });
    const tired = aReadback({ operationId: opId(2), settleAtMs: 20_000, attempts: 14 });
    const { runner, store } = world([fresh, tired], () => closed);
    await runner.round();
    await runner.settled();
    expect(store.ended.map(({ next }) => next.state)).toEqual(['waiting', 'given-up']);
    expect(store.ended[1]?.finding).toMatchObject({ kind: 'unsettled', caseClass, code });
  },
);

test('a store that fails is told, and the source can be asked again', async () => {
  const made = world([aReadback()], () => probing(() => Promise.resolve([found])));
  made.store.fails = true;
  await made.runner.round();
  await made.runner.settled();
  expect(made.broken).toHaveLength(1);
  expect(await made.runner.round()).toBe(0);
});

test('an adapter that answers too little gives no verdict', async () => {
  const { runner, store } = world([aReadback()], () => probing(() => Promise.resolve([])));
  await runner.round();
  await runner.settled();
  expect(store.ended.map(({ next, code }) => [next.state, code])).toEqual([
    ['waiting', 'no-verdict'],
  ]);
});
