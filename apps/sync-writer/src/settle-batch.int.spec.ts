import { eventually, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import {
  asEventKey,
  asExternalId,
  hash128,
  type OperationId,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { RecordCapabilities } from '@counterpart/crm-port';
import { keepOperations } from './adapters/outbound/inbox.js';
import type { LaneRunner } from './application/run-lanes.js';
import { settleWrite } from './domain/settle-write.js';
import { crm as crmId, event, tenantId } from './testing/builders.js';
import { MemoryCrm } from './testing/memory-crm.js';
import { storeOn, workerOn } from './testing/worker.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const searchOnly: RecordCapabilities = {
  createPath: 'search-only',
  strongProbe: false,
  findBeforeCreate: true,
  batchMax: 100,
};
const enforced: RecordCapabilities = {
  createPath: 'conflict-adopt',
  strongProbe: true,
  findBeforeCreate: false,
  batchMax: 100,
};

const meeting = (n: number): SourceEvent =>
  event({
    recordType: 'meeting',
    externalId: asExternalId(`m-${n}`),
    kind: 'created',
    fields: { title: `Meeting ${n}` },
    relations: [
      {
        role: 'attendee',
        recordType: 'contact',
        externalId: null,
        fields: { email: 'ada@example.com', firstName: 'Ada' },
        relations: [
          {
            role: 'company',
            recordType: 'company',
            externalId: null,
            fields: { domain: 'example.com' },
            relations: [],
          },
        ],
      },
    ],
  });

const push = (events: readonly SourceEvent[]) =>
  keepOperations(
    scratch.db,
    events.map((one) => ({
      operation: { event: one, gate: { reason: 'new', suppressed: [], decidedAtMs: 0 } },
      traceparent: null,
    })),
  );

/** Runs rounds of all workers until no lane is open; each round starts when work may be due. */
const drain = (workers: readonly LaneRunner[], timeoutMs = 20_000) =>
  eventually(
    async () => {
      await Promise.all(workers.map((worker) => worker.round()));
      const [row] = await scratch.db.query<{ open: number }>(
        `select count(*)::int as open from sync.lanes where state = 'open'`,
      );
      expect(row?.open).toBe(0);
    },
    { timeoutMs },
  );

const outcomes = () =>
  scratch.db.query<{ outcome: string; n: number }>(
    `select outcome, count(*)::int as n from sync.operations group by 1 order by 1`,
  );

describe('a storm of meetings with one new person, two workers', () => {
  test.each([
    ['a CRM that enforces a unique address', enforced, 'email' as const],
    ['a CRM that enforces nothing', searchOnly, null],
  ])(
    'ends with one contact and one company in %s',
    async (_name, offered, unique) => {
      const crm = new MemoryCrm(offered, 1_000, unique);
      crm.latency = () => new Promise((resolve) => setTimeout(resolve, 20));
      const events = Array.from({ length: 200 }, (_, n) => meeting(n));
      const workers = [workerOn(scratch.db, crm, 'w1'), workerOn(scratch.db, crm, 'w2')];
      for (let at = 0; at < events.length; at += 20) {
        await push(events.slice(at, at + 20));
        await push(events.slice(at, at + 20));
        await Promise.all(workers.map((worker) => worker.round()));
      }
      await drain(workers);
      expect({
        contacts: crm.count('contact'),
        companies: crm.count('company'),
        meetings: crm.count('meeting'),
      }).toEqual({ contacts: 1, companies: 1, meetings: 200 });
      // Every meeting with her, and her with the company; asking twice would make none twice.
      expect(crm.edges.size).toBe(201);
      expect(await outcomes()).toEqual([{ outcome: 'applied', n: 202 }]);
    },
    60_000,
  );
});

test('an answer that got lost is settled by looking where a look is proof, and nothing is made twice', async () => {
  const crm = new MemoryCrm(enforced, 0, 'email');
  crm.misbehave = (call) => (call % 2 === 1 ? 'commit-no-answer' : null);
  await push([meeting(1), meeting(2)]);
  await drain([workerOn(scratch.db, crm, 'w1')]);
  expect([crm.count('contact'), crm.count('company'), crm.count('meeting')]).toEqual([1, 1, 2]);
  expect((await outcomes()).map(({ outcome }) => outcome)).toContain('reconciled');
});

/** Runs rounds until an operation's outcome is unknown; answers how the ledger names it. */
const untilUnknown = (worker: LaneRunner, attempts = 1) =>
  eventually(async () => {
    await worker.round();
    const [row] = await scratch.db.query<{ operation_id: string; version: number }>(
      `select operation_id, version from sync.operations where state = 'unknown' and attempts = $1`,
      [attempts],
    );
    expect(row).toBeDefined();
    return {
      operationId: (row?.operation_id ?? '') as OperationId,
      operationVersion: row?.version ?? -1,
    };
  });

/** What the reconciler says after its `probe`-th look. */
const readback = (
  recordType: string,
  finding: SourceEvent['readback'] & object,
  probe = 1,
): SourceEvent =>
  event({
    sourceId: crmId,
    recordType,
    externalId: asExternalId(`op:${finding.operationId}`),
    eventKey: asEventKey(
      hash128(`${finding.operationId}|${finding.operationVersion}|${String(probe)}`),
    ),
    kind: 'readback',
    readback: finding,
  });

const absent = { verdict: 'absent', externalId: null, stored: {} } as const;

test('a write that is held for a person, or refused for good, is not tried again until other values are meant', async () => {
  const crm = new MemoryCrm(searchOnly, 0);
  const worker = workerOn(scratch.db, crm, 'w1');
  const person = (n: number, firstName: string) =>
    event({
      externalId: asExternalId(`c-${String(n)}`),
      fields: { email: 'ada@example.com', firstName },
    });
  for (const firstName of ['Ada', 'Augusta'])
    await crm.adapter.create('contact', [
      { marker: '', fields: { email: 'ada@example.com', firstName } },
    ]);
  await push([person(1, 'Ada')]);
  await drain([worker]);
  expect(await outcomes()).toEqual([{ outcome: 'needs-review', n: 1 }]);
  const asked = crm.calls.length;
  await push([person(2, 'Ada'), person(3, 'Ada King')]);
  await drain([worker]);
  expect(crm.calls.slice(asked)).toEqual([]);
  expect(crm.count('contact')).toBe(2);

  crm.misbehave = () => 'refuse';
  const other = (n: number, title: string) =>
    event({
      recordType: 'meeting',
      externalId: asExternalId('m-1'),
      fields: { title },
      revision: String(n),
    });
  await push([other(1, 'Standup')]);
  await drain([worker]);
  const refused = crm.calls.length;
  await push([other(2, 'Standup')]);
  await drain([worker]);
  expect(crm.calls.slice(refused)).toEqual([]);
  crm.misbehave = () => null;
  await push([other(3, 'Stand-up')]);
  await drain([worker]);
  expect(crm.count('meeting')).toBe(1);
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

test('where only time can tell, nobody creates again; a readback that finds the record ends it', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([meeting(1), meeting(2)]);
  const unknown = await untilUnknown(worker);
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
  const first = await untilUnknown(worker);
  await push([readback('contact', { ...first, ...absent })]);
  const second = await untilUnknown(worker, 2);
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

test('a change the CRM already shows is a no-op and costs no call', async () => {
  const crm = new MemoryCrm(enforced, 0, 'email');
  const worker = workerOn(scratch.db, crm, 'w1');
  const contact = (name: string, at: number) =>
    event({ fields: { email: 'ada@example.com', firstName: name }, occurredAtMs: at });
  await push([contact('Ada', 1)]);
  await drain([worker]);
  const before = crm.calls.length;
  await push([contact('Ada', 2)]);
  await drain([worker]);
  expect(crm.calls.length).toBe(before);
  await push([contact('Augusta', 3)]);
  await drain([worker]);
  expect(crm.calls.slice(before)).toEqual([{ kind: 'update', items: 1 }]);
});

test('an ending decided before the operation was named once more is decided again, never told twice under one version', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([meeting(1)]);
  const unknown = await untilUnknown(worker);
  const writes = storeOn(scratch.db);
  const finding = async (operationVersion: number) => {
    const open = await writes.unknownOperation(tenantId, { ...unknown, operationVersion });
    if (open === null) throw new Error('settled already');
    const record = { externalId: asExternalId('7'), stored: {}, versionToken: null };
    return settleWrite(
      open,
      { kind: 'read-back', record },
      { nowMs: 0, request: open.request, provider: 'hubspot' },
    ).settlement;
  };
  const early = await finding(1);
  await scratch.db.query(
    'update sync.operations set version = version + 1 where operation_id = $1',
    [unknown.operationId],
  );
  expect([...(await writes.settle([early])).values()]).toEqual(['overtaken']);
  expect((await writes.settle([await finding(2)])).size).toBe(0);
  const [told] = await scratch.db.query<{ version: number; state: string }>(
    'select version, state from sync.operations where operation_id = $1',
    [unknown.operationId],
  );
  expect(told).toEqual({ version: 3, state: 'confirmed' });
  await worker.stop();
});

test("a record found to be another entity's stays theirs; a person is told, and nobody writes again", async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([event({ fields: { email: 'ada@example.com' } })]);
  const unknown = await untilUnknown(worker);
  const [id] = [...crm.records.keys()];
  await scratch.db.query(
    `insert into sync.mappings (tenant_id, source_id, record_type, external_id, entity_id, status, origin, exclusive)
     values ($1, 'crm', 'contact', $2, gen_random_uuid(), 'linked', 'observed', true)`,
    [tenantId, id],
  );
  const found = { verdict: 'found', externalId: asExternalId(id ?? ''), stored: {} } as const;
  await push([readback('contact', { ...unknown, ...found })]);
  await drain([worker]);
  expect(await outcomes()).toEqual([{ outcome: 'needs-review', n: 1 }]);
  const told = await scratch.db.query<{ value: Buffer }>(
    `select value from sync.outbox where topic = 'counterpart.sync-results.v1' order by id`,
  );
  expect(told.map(({ value }) => JSON.parse(value.toString()) as object)).toMatchObject([
    { operationVersion: 1, outcome: 'unknown' },
    { operationVersion: 2, outcome: 'needs-review', reason: 'record-belongs-to-another-entity' },
  ]);
  expect(crm.count('contact')).toBe(1);
});
