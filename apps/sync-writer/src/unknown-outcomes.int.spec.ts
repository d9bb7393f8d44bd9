import { eventually, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asExternalId, type OperationId, type SourceEvent } from '@counterpart/sync-model';
import {
  absent,
  drainAll,
  enforced,
  outcomesIn,
  pushTo,
  readback,
  searchOnly,
  untilUnknown,
  meeting,
} from './testing/lanes.js';
import type { LaneRunner } from './application/run-lanes.js';
import { settleWrite } from './domain/settle-write.js';
import { entityId, event, tenantId } from './testing/builders.js';
import { MemoryCrm } from './testing/memory-crm.js';
import { storeOn, workerOn } from './testing/worker.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const push = (events: readonly SourceEvent[]) => pushTo(scratch.db, events);
const drain = (workers: readonly LaneRunner[]) => drainAll(scratch.db, workers);
const outcomes = () => outcomesIn(scratch.db);

test('an answer that got lost is settled by looking where a look is proof, and nothing is made twice', async () => {
  const crm = new MemoryCrm(enforced, 0, 'email');
  crm.misbehave = (call) => (call % 2 === 1 ? 'commit-no-answer' : null);
  await push([meeting(1), meeting(2)]);
  await drain([workerOn(scratch.db, crm, 'w1')]);
  expect([crm.count('contact'), crm.count('company'), crm.count('meeting')]).toEqual([1, 1, 2]);
  expect((await outcomes()).map(({ outcome }) => outcome)).toContain('reconciled');
});

test('where only time can tell, nobody creates again; a readback that finds the record ends it', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([meeting(1), meeting(2)]);
  const unknown = await untilUnknown(scratch.db, worker);
  expect(crm.count('company')).toBe(1);
  const [companyId] = [...crm.records.keys()];
  await push([
    readback('company', {
      ...unknown,
      verdict: 'found',
      externalId: asExternalId(companyId ?? ''),
      stored: { domain: 'example.com' },
    }),
  ]);
  await drain([worker]);
  expect([crm.count('contact'), crm.count('company'), crm.count('meeting')]).toEqual([1, 1, 2]);
});

test('an "absent" that speaks of an earlier attempt does not release the claim of the next one', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (['lost-before', 'commit-no-answer'] as const)[call - 1] ?? null;
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([event({ fields: { email: 'ada@example.com' } })]);
  const first = await untilUnknown(scratch.db, worker);
  await push([readback('contact', { ...first, ...absent })]);
  const second = await untilUnknown(scratch.db, worker, 2);
  // The reconciler looked once more before it heard of the retry; its finding comes late.
  const late = readback('contact', { ...first, ...absent }, 2);
  await push([late]);
  await eventually(async () => {
    await worker.round();
    const rows = await scratch.db.query(
      'select 1 from sync.inbox where event_key = $1 and settled_at is not null',
      [late.eventKey],
    );
    expect(rows).toHaveLength(1);
  });
  const [id] = [...crm.records.keys()];
  const stored = { email: 'ada@example.com' };
  const found = { verdict: 'found', externalId: asExternalId(id ?? ''), stored } as const;
  await push([readback('contact', { ...second, ...found })]);
  await drain([worker]);
  expect(crm.count('contact')).toBe(1);
});

test('an ending decided before the operation was named once more is decided again, never told twice under one version', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([meeting(1)]);
  const unknown = await untilUnknown(scratch.db, worker);
  const writes = storeOn(scratch.db);
  const finding = async (operationVersion: number) => {
    const stated = await writes.statedOperation(tenantId, { ...unknown, operationVersion });
    if (!stated?.open) throw new Error('settled already');
    const { operation, open } = stated;
    const record = { externalId: asExternalId('7'), stored: {}, versionToken: null };
    return settleWrite(
      { ...open, operation },
      { kind: 'read-back', record },
      { nowMs: 0, request: open.request, provider: 'hubspot' },
    ).settlement;
  };
  const early = await finding(1);
  await scratch.db.query(
    'update sync.operations set version = version + 1 where operation_id = $1',
    [unknown.operationId],
  );
  expect([...(await writes.settle([early])).refused.values()]).toEqual(['overtaken']);
  expect((await writes.settle([await finding(2)])).refused.size).toBe(0);
  const [told] = await scratch.db.query<{ version: number; state: string }>(
    'select version, state from sync.operations where operation_id = $1',
    [unknown.operationId],
  );
  expect(told).toEqual({ version: 3, state: 'confirmed' });
  await worker.stop();
});

test('a create that lands after its answer was lost is waited for, although a look is proof', async () => {
  const strong = { ...searchOnly, strongProbe: true, findBeforeCreate: false };
  const crm = new MemoryCrm(strong, 0);
  crm.misbehave = (call) => (call === 1 ? 'commit-late' : null);
  await push([event({ fields: { email: 'ada@example.com' } })]);
  await drain([workerOn(scratch.db, crm, 'w1')]);
  expect(crm.count('contact')).toBe(1);
  expect(await outcomes()).toEqual([{ outcome: 'reconciled', n: 1 }]);
});

test('a record made for an entity that was merged meanwhile belongs to the survivor', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([event({ fields: { email: 'ada@example.com' } })]);
  const unknown = await untilUnknown(scratch.db, worker);
  const [winner, between] = [entityId('winner'), entityId('between')];
  await scratch.db.query(
    `insert into sync.entities (tenant_id, entity_id, entity_type, status, merged_into)
     values ($1, $2, 'contact', 'live', null), ($1, $3, 'contact', 'merged', $2)`,
    [tenantId, winner, between],
  );
  await scratch.db.query(
    `update sync.entities set status = 'merged', merged_into = $3
      where tenant_id = $1 and entity_id not in ($2, $3)`,
    [tenantId, winner, between],
  );
  const [id] = [...crm.records.keys()];
  const found = { verdict: 'found', externalId: asExternalId(id ?? ''), stored: {} } as const;
  await push([readback('contact', { ...unknown, ...found })]);
  await drain([worker]);
  const mappings = await scratch.db.query(
    `select external_id, entity_id from sync.mappings where source_id = 'crm'`,
  );
  expect(mappings).toEqual([{ external_id: id, entity_id: winner }]);
  const told = await scratch.db.query<{ value: Buffer }>(
    `select value from sync.outbox where topic = 'counterpart.mappings.v1' and key like '%crm%'`,
  );
  expect(told.map(({ value }) => JSON.parse(value.toString()) as object)).toMatchObject([
    { entityId: winner, externalId: id },
  ]);
});

test('a request that nobody asks about any more is named all the same, and its claim goes', async () => {
  const crm = new MemoryCrm(searchOnly, 0);
  crm.misbehave = (call) => (call === 1 ? 'never-answers' : null);
  await push([event({ fields: { email: 'ada@example.com' } })]);
  await workerOn(scratch.db, crm, 'dies').round();
  await eventually(async () => {
    const rows = await scratch.db.query(`select 1 from sync.claims where state = 'sending'`);
    expect(rows).toHaveLength(1);
  });
  // The lane went on without it, as it does when the entity has come to be what the CRM holds.
  await scratch.db.query(`update sync.inbox set settled_at = now()`);
  await scratch.db.query(`update sync.lanes set state = 'idle', owner = null, epoch = epoch + 1`);
  const worker = workerOn(scratch.db, crm, 'w1');
  await worker.sweep();
  expect(await outcomes()).toEqual([{ outcome: null, n: 1 }]);
  await scratch.db.query(`update sync.claims set lease_until = now() - interval '31 seconds'`);
  await worker.sweep();
  await worker.sweep();
  const [named] = await scratch.db.query<{ operation_id: OperationId; version: number }>(
    `select operation_id, version from sync.operations where state = 'unknown'`,
  );
  expect(named?.version).toBe(1);
  const unknown = { operationId: named?.operation_id as OperationId, operationVersion: 1 };
  await push([readback('contact', { ...unknown, ...absent })]);
  await drain([worker]);
  expect(await scratch.db.query('select 1 from sync.claims')).toEqual([]);
  expect(crm.count('contact')).toBe(1);
});
