import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSchema } from '@counterpart/platform-postgres';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const golden = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterAll(() => scratch.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const schema = await describeSchema(scratch.owner, 'sync');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, schema);
  expect(schema).toBe(readFileSync(golden, 'utf8'));
});

test.each(['ingest', 'dedupe', 'reconciler'])('%s cannot read it', async (role) => {
  await expect(scratch.as(role).query('select 1 from sync.entities')).rejects.toMatchObject({
    code: '42501',
  });
});
