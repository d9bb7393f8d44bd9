import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSchema } from '@counterpart/platform-postgres';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const golden = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('reconciler');
});
afterAll(() => scratch.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const schema = await describeSchema(scratch.owner, 'reconcile');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, schema);
  expect(schema).toBe(readFileSync(golden, 'utf8'));
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
