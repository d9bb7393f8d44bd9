import { asOperationId } from '@counterpart/sync-model';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import type { CaseStore } from '../../application/ports.js';
import { findingOfDeadLetter } from '../../domain/finding.js';
import { saveAsJson, savedMessages } from '../../testing/stores.js';
import { aDeadLetter, aResult } from '../../testing/values.js';
import { createCaseStore } from './case-store.js';
import { createOperatorReads } from './operator-reads.js';

let scratch: ScratchDatabase;
let cases: CaseStore;
beforeAll(async () => {
  scratch = await scratchDatabase('reconciler');
  cases = createCaseStore(scratch.db, saveAsJson);
});
afterAll(() => scratch.drop());
beforeEach(() =>
  scratch.owner.query('truncate reconcile.cases, reconcile.case_changes, reconcile.outbox'),
);

const seen = (state: string | null = null) => createOperatorReads(scratch.db).cases('acme', state);
const audit = (): Promise<object[]> =>
  scratch.db.query(
    'select change_no, move, state, code from reconcile.case_changes order by case_id, change_no',
  );
const unknown = aResult();
const reconciled = aResult({ outcome: 'reconciled', reason: 'create', operationVersion: 2 });

test('a case is opened, settled and audited', async () => {
  await cases.followResults([unknown], []);
  expect(await seen('open')).toMatchObject([
    { class: 'unknown-outcome', state: 'open', code: 'deadline', operationId: unknown.operationId },
  ]);
  await cases.followResults([reconciled], []);
  expect(await seen('open')).toEqual([]);
  expect(await seen()).toMatchObject([{ state: 'settled', settledAt: new Date(5_000) }]);
  expect(await audit()).toEqual([
    { change_no: 1, move: 'open', state: 'open', code: 'deadline' },
    { change_no: 2, move: 'settle', state: 'settled', code: 'create' },
  ]);
});

test('both in one batch, and the batch twice, are two changes', async () => {
  await cases.followResults([unknown, reconciled], []);
  await cases.followResults([unknown, reconciled], []);
  expect(await audit()).toHaveLength(2);
});

test('settled results alone leave nothing', async () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    aResult({
      outcome: 'applied',
      operationId: asOperationId(`00000000-0000-0000-0000-${String(n).padStart(12, '0')}`),
    }),
  );
  await cases.followResults(many, []);
  expect(await seen()).toEqual([]);
});

test('ten processes that learn of one subject at once make one case with one history', async () => {
  const results = Array.from({ length: 10 }, (_, n) =>
    aResult({ outcome: 'needs-review', operationVersion: n + 1, reason: `reason-${n}` }),
  );
  await Promise.all(results.map((result) => cases.followResults([result], [])));
  expect(await seen()).toHaveLength(1);
  const changes = (await audit()) as { change_no: number }[];
  expect(changes.map(({ change_no }) => change_no)).toEqual(changes.map((_, n) => n + 1));
  expect(await seen()).toMatchObject([{ code: 'reason-9', changes: changes.length }]);
});

test('a dead letter is a case; what could not be read is parked with the batch', async () => {
  await cases.keepFindings([findingOfDeadLetter(aDeadLetter())], []);
  expect(await seen()).toMatchObject([
    { class: 'conflict', service: 'dedupe', evidenceRef: 'dedupe:event_conflicts/1' },
  ]);
  const parked = aDeadLetter({ code: 'avro-magic', service: 'reconciler' });
  await cases.followResults(
    [],
    [{ topic: 'counterpart.dead-letters.v1', value: parked, traceparent: null }],
  );
  expect(await savedMessages(scratch.db)).toMatchObject([
    { topic: 'counterpart.dead-letters.v1', value: { code: 'avro-magic' } },
  ]);
});

test('a tenant sees its own cases only, and its own backlog', async () => {
  await cases.followResults([unknown], []);
  const reads = createOperatorReads(scratch.db);
  expect(await reads.cases('globex', null)).toEqual([]);
  expect(await reads.backlog('globex')).toBe(0);
  expect(await reads.planVersion('acme')).toBeNull();
});
