import { join } from 'node:path';
import { goldenSchema, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const file = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('reconciler');
});
afterAll(() => scratch.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const { made, golden } = await goldenSchema(scratch, 'reconcile', file);
  expect(made).toBe(golden);
});

test('no other service reads it, and the audit cannot be changed by us', async () => {
  for (const role of ['ingest', 'dedupe', 'sync_writer']) {
    await expect(scratch.as(role).query('select 1 from reconcile.cases')).rejects.toMatchObject({
      code: '42501',
    });
  }
  for (const sql of [
    'delete from reconcile.case_changes',
    `update reconcile.case_changes set code = ''`,
  ]) {
    await expect(scratch.db.query(sql)).rejects.toMatchObject({ code: '42501' });
  }
});
