import { eventually, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asExternalId, type SourceEvent, type SourceId } from '@counterpart/sync-model';
import { drainAll, enforced, pushTo, toldIn } from './testing/lanes.js';
import type { LaneRunner } from './application/run-lanes.js';
import { app, crm as crmId, event } from './testing/builders.js';
import { MemoryCrm } from './testing/memory-crm.js';
import { workerOn } from './testing/worker.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const push = (events: readonly SourceEvent[]) => pushTo(scratch.db, events);
const drain = (workers: readonly LaneRunner[]) => drainAll(scratch.db, workers);

describe('both sides changed a field', () => {
  const said = (
    sourceId: SourceId,
    externalId: string,
    fields: SourceEvent['fields'],
    occurredAtMs: number,
  ) => event({ sourceId, externalId: asExternalId(externalId), fields, occurredAtMs });
  const email = { email: 'ada@example.com' };
  const reasons = async () => (await toldIn(scratch.db)).map(({ reason }) => reason);
  /**
   * Ada is in the CRM with these fields; then the app says others, which do not get through yet.
   * `aheadMs` dates that change into the future, so that it is later than what is typed next.
   */
  const start = async (
    before: SourceEvent['fields'],
    after: SourceEvent['fields'],
    aheadMs = 0,
  ) => {
    const crm = new MemoryCrm(enforced, 0, 'email');
    const worker = workerOn(scratch.db, crm, 'w1');
    await push([said(app, 'c-1', { ...email, ...before }, Date.now() - 1_000)]);
    await drain([worker]);
    const [id] = [...crm.records.keys()];
    crm.unreachable = true;
    await push([said(app, 'c-1', { ...email, ...after }, Date.now() + aheadMs)]);
    await eventually(async () => {
      await worker.round();
      const rows = await scratch.db.query('select 1 from sync.lanes where attempts > 0');
      expect(rows).toHaveLength(1);
    });
    return { crm, worker, id: id ?? '' };
  };
  /** A person types it into the CRM; its event says so. */
  const typed = async (crm: MemoryCrm, id: string, fields: SourceEvent['fields']) => {
    const record = crm.records.get(id);
    if (record !== undefined) record.fields = { ...record.fields, ...fields };
    await push([said(crmId, id, fields, Date.now() + 1)]);
  };
  const later = 60_000;

  test.each([
    ['on its way', false],
    ['written', true],
  ])(
    'last-change: an edit at the CRM loses against a later change that is %s',
    async (_when, isWritten) => {
      const { crm, worker, id } = await start({ phone: '1' }, { phone: '2' }, later);
      crm.unreachable = !isWritten;
      if (isWritten) await drain([worker]);
      await typed(crm, id, { phone: '3' });
      crm.unreachable = false;
      await drain([worker]);
      expect(crm.records.get(id)?.fields).toMatchObject({ phone: '2' });
    },
  );

  test('last-change: an edit at the CRM that was written over unheard is put back', async () => {
    const { crm, worker, id } = await start({ phone: '1' }, { phone: '2' });
    const record = crm.records.get(id);
    if (record !== undefined) record.fields = { ...record.fields, phone: '3' };
    const edit = said(crmId, id, { phone: '3' }, Date.now() - 1);
    crm.unreachable = false;
    await drain([worker]);
    expect(crm.records.get(id)?.fields).toMatchObject({ phone: '2' });
    await push([edit]);
    await drain([worker]);
    expect(crm.records.get(id)?.fields).toMatchObject({ phone: '3' });
  });

  test('last-change: an edit that is heard while our write is on its way stays', async () => {
    const { crm, worker, id } = await start({ phone: '1' }, { phone: '2' });
    await typed(crm, id, { phone: '3' });
    crm.unreachable = false;
    await drain([worker]);
    expect(crm.records.get(id)?.fields).toMatchObject({ phone: '3' });
  });

  test('review: neither is written over the other, and a person is told', async () => {
    const { crm, worker, id } = await start({ jobTitle: 'CTO' }, { jobTitle: 'CEO' });
    await typed(crm, id, { jobTitle: 'CFO' });
    await eventually(async () => {
      await worker.round();
      expect(await reasons()).toContain('both-sides-changed:jobTitle');
    });
    crm.unreachable = false;
    await drain([worker]);
    expect(crm.records.get(id)?.fields).toMatchObject({ jobTitle: 'CFO' });
    // Once the CRM says what we say, there is nothing left to decide, and later changes go out.
    await typed(crm, id, { jobTitle: 'CEO' });
    await drain([worker]);
    await push([said(app, 'c-1', { ...email, jobTitle: 'Chair' }, Date.now())]);
    await drain([worker]);
    expect(crm.records.get(id)?.fields).toMatchObject({ jobTitle: 'Chair' });
  });
});
