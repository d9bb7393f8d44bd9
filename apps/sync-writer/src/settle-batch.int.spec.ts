import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asExternalId, type SourceEvent } from '@counterpart/sync-model';
import {
  drainAll,
  enforced,
  outcomesIn,
  pushTo,
  readback,
  searchOnly,
  toldIn,
  untilUnknown,
  meeting,
} from './testing/lanes.js';
import type { LaneRunner } from './application/run-lanes.js';
import { event, tenantId } from './testing/builders.js';
import { MemoryCrm } from './testing/memory-crm.js';
import { workerOn } from './testing/worker.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const push = (events: readonly SourceEvent[]) => pushTo(scratch.db, events);
const drain = (workers: readonly LaneRunner[]) => drainAll(scratch.db, workers);
const outcomes = () => outcomesIn(scratch.db);

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

test("a record found to be another entity's stays theirs; a person is told, and nobody writes again", async () => {
  const crm = new MemoryCrm(searchOnly, 1_000);
  crm.misbehave = (call) => (call === 1 ? 'commit-no-answer' : null);
  const worker = workerOn(scratch.db, crm, 'w1');
  await push([event({ fields: { email: 'ada@example.com' } })]);
  const unknown = await untilUnknown(scratch.db, worker);
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
  expect(await toldIn(scratch.db)).toMatchObject([
    { operationVersion: 1, outcome: 'unknown' },
    { operationVersion: 2, outcome: 'needs-review', reason: 'record-belongs-to-another-entity' },
  ]);
  expect(crm.count('contact')).toBe(1);
});

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
