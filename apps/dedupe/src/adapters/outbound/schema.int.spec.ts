import { join } from 'node:path';
import { outcomes } from '@counterpart/sync-model';
import { goldenSchema, scratchDatabase, type ScratchDatabase } from '@counterpart/testing';

const file = join(__dirname, '../../../schema.golden.sql');
let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('dedupe');
});
afterAll(() => scratch.drop());

test('the schema is what the golden file says (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const { made, golden } = await goldenSchema(scratch, 'dedupe', file);
  expect(made).toBe(golden);
});

test.each(['ingest', 'sync_writer', 'reconciler'])('%s cannot read it', async (role) => {
  await expect(scratch.as(role).query('select 1 from dedupe.event_ledger')).rejects.toMatchObject({
    code: '42501',
  });
});

test('the tables have the keys of the design: the tenant comes first', async () => {
  const keys = await scratch.owner.query<{ table: string; first: string }>(
    `select c.relname as table, a.attname as first
       from pg_index i
       join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indisprimary and c.relnamespace = 'dedupe'::regnamespace
      order by 1`,
  );
  const transit = ['outbox', 'outbox_owner', 'migrations'];
  const own = keys.filter(({ table }) => !transit.includes(table));
  expect(own.map(({ table }) => table)).toEqual([
    'event_conflicts',
    'event_ledger',
    'record_heads',
    'sync_plans',
    'write_memory',
  ]);
  expect(new Set(own.map(({ first }) => first))).toEqual(new Set(['tenant_id']));
});

test('the ledger takes every outcome of the model and no other', async () => {
  const [row] = await scratch.owner.query<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint
      where conname = 'event_ledger_outcome_known'`,
  );
  const listed = [...(row?.rule ?? '').matchAll(/'([a-z-]+)'/g)].map(([, outcome]) => outcome);
  expect(listed.sort()).toEqual([...outcomes].sort());
});
