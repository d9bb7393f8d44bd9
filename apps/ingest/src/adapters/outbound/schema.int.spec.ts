import { join } from 'node:path';
import { goldenSchema, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const file = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('ingest');
});
afterAll(() => scratch?.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const { made, golden } = await goldenSchema(scratch, 'ingest', file);
  expect(made).toBe(golden);
});

test.each(['dedupe', 'sync_writer', 'reconciler'])('%s cannot read it', async (role) => {
  await expect(scratch.as(role).query('select 1 from ingest.sync_plans')).rejects.toMatchObject({
    code: '42501',
  });
});

test('the tables have the keys of the design: the tenant comes first', async () => {
  const keys = await scratch.owner.query<{ table: string; first: string }>(
    `select c.relname as table, a.attname as first
       from pg_index i
       join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indisprimary and c.relnamespace = 'ingest'::regnamespace
      order by 1`,
  );
  // What is in quarantine belongs to nobody we know.
  const nobodys = ['quarantined_deliveries', 'migrations'];
  const own = keys.filter(({ table }) => !nobodys.includes(table));
  expect(own).toEqual([
    { table: 'endpoint_claims', first: 'tenant_id' },
    { table: 'refusals', first: 'tenant_id' },
    { table: 'sync_plans', first: 'tenant_id' },
  ]);
});
