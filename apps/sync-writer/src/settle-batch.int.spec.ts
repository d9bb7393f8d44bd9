import { eventually, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asEventKey, asExternalId, hash128, type SourceEvent } from '@counterpart/sync-model';
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

test('where only time can tell, nobody creates again; a readback that finds the record ends it', async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([meeting(1), meeting(2)]);
  await eventually(async () => {
    await worker.round();
    const rows = await scratch.db.query(`select 1 from sync.operations where state = 'unknown'`);
    expect(rows).toHaveLength(1);
  });
  expect(crm.count('company')).toBe(1);
  const [unknown] = await scratch.db.query<{ operation_id: string }>(
    `select operation_id from sync.operations where state = 'unknown'`,
  );
  const [companyId] = [...crm.records.keys()];
  await push([
    event({
      sourceId: crmId,
      recordType: 'company',
      externalId: asExternalId(`op:${unknown?.operation_id}`),
      eventKey: asEventKey(hash128('readback')),
      kind: 'readback',
      readback: {
        operationId: unknown?.operation_id as never,
        verdict: 'found',
        externalId: asExternalId(companyId ?? ''),
        stored: { domain: 'example.com' },
      },
    }),
  ]);
  await drain([worker]);
  expect([crm.count('contact'), crm.count('company'), crm.count('meeting')]).toEqual([1, 1, 2]);
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
  const unknownId = await eventually(async () => {
    await worker.round();
    const [row] = await scratch.db.query<{ operation_id: string }>(
      `select operation_id from sync.operations where state = 'unknown'`,
    );
    expect(row).toBeDefined();
    return row?.operation_id as never;
  });
  const writes = storeOn(scratch.db);
  const finding = async () => {
    const open = await writes.unknownOperation(tenantId, unknownId);
    if (open === null) throw new Error('settled already');
    const record = { externalId: asExternalId('7'), stored: {}, versionToken: null };
    return settleWrite(
      { ...open, mapping: null },
      { kind: 'read-back', record },
      { nowMs: 0, settleAtMs: 0, provider: 'hubspot' },
    ).settlement;
  };
  const early = await finding();
  await scratch.db.query(
    'update sync.operations set version = version + 1 where operation_id = $1',
    [unknownId],
  );
  expect([...(await writes.settle([early])).values()]).toEqual(['overtaken']);
  expect((await writes.settle([await finding()])).size).toBe(0);
  const [told] = await scratch.db.query<{ version: number; state: string }>(
    'select version, state from sync.operations where operation_id = $1',
    [unknownId],
  );
  expect(told).toEqual({ version: 3, state: 'confirmed' });
  await worker.stop();
});
