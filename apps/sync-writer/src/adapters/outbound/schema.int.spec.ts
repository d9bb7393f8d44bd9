import { join } from 'node:path';
import { goldenSchema, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const file = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterAll(() => scratch.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const { made, golden } = await goldenSchema(scratch, 'sync', file);
  expect(made).toBe(golden);
});

test.each(['ingest', 'dedupe', 'reconciler'])('%s cannot read it', async (role) => {
  await expect(scratch.as(role).query('select 1 from sync.entities')).rejects.toMatchObject({
    code: '42501',
  });
});
