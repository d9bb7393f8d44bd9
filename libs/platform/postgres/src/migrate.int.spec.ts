import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase, type EmptyDatabase } from '@counterpart/testing';
import { describeSchema } from './describe-schema.js';
import { DbError } from './db-error.js';
import { migrate } from './migrate.js';

let scratch: EmptyDatabase;
let dir: string;
beforeEach(async () => {
  scratch = await emptyDatabase(['reconciler', 'dedupe']);
  dir = mkdtempSync(join(tmpdir(), 'migrations-'));
  put('0001_create_item.sql', CREATE);
});
afterEach(async () => {
  rmSync(dir, { recursive: true });
  await scratch.drop();
});

const CREATE = `
  create schema if not exists reconcile;
  grant usage on schema reconcile to reconciler;
  create table reconcile.item (
    tenant_id text not null, id bigint not null, size int not null default 0,
    primary key (tenant_id, id), check (size >= 0));
  create index item_size on reconcile.item (tenant_id, size) where size > 0;
  grant select, insert on reconcile.item to reconciler;`;

const put = (name: string, sql: string): void => writeFileSync(join(dir, name), sql);
const run = (role = 'reconciler'): Promise<readonly string[]> =>
  migrate({ url: scratch.urlOf('reconciler_owner'), schema: 'reconcile', role, dir });

test('files run once, in order, and are remembered', async () => {
  put('0002_add_note.sql', 'alter table reconcile.item add column note text;');
  expect(await run()).toEqual(['0001_create_item.sql', '0002_add_note.sql']);
  expect(await run()).toEqual([]);
});

test('five processes at once migrate once', async () => {
  const ran = await Promise.all([run(), run(), run(), run(), run()]);
  expect(ran.flat()).toEqual(['0001_create_item.sql']);
});

test('a changed file is refused and nothing after it runs', async () => {
  await run();
  put('0001_create_item.sql', `${CREATE} -- changed`);
  put('0002_add_note.sql', 'alter table reconcile.item add column note text;');
  await expect(run()).rejects.toMatchObject({ code: 'migration-changed' });
  const note = `select 1 from information_schema.columns where column_name = 'note' and table_schema = 'reconcile'`;
  expect(await scratch.as('reconciler_owner').query(note)).toEqual([]);
});

test('a file that fails leaves what ran before it and names itself', async () => {
  put('0002_break_it.sql', 'create table reconcile.half (id int); select 1/0;');
  const error = await run().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(DbError);
  expect(error).toMatchObject({
    code: '22012',
    message: expect.stringContaining('0002_break_it.sql') as string,
  });
  const tables = await scratch
    .as('reconciler_owner')
    .query(
      `select table_name from information_schema.tables where table_schema = 'reconcile' order by 1`,
    );
  expect(tables).toEqual([{ table_name: 'item' }, { table_name: 'migrations' }]);
});

test('a role that does not exist is named', async () => {
  await expect(run('nobody_here')).rejects.toMatchObject({ code: 'role-missing' });
});

test('a service reads and writes its own tables, changes none, and sees no others', async () => {
  await run();
  const service = scratch.as('reconciler');
  await service.query(`insert into reconcile.item values ('t', 1)`);
  expect(await service.query('select * from reconcile.item')).toHaveLength(1);
  const denied = { code: '42501' };
  await expect(service.query('delete from reconcile.item')).rejects.toMatchObject(denied);
  await expect(service.query('drop table reconcile.item')).rejects.toMatchObject(denied);
  await expect(service.query('select * from reconcile.migrations')).rejects.toMatchObject(denied);
  const other = scratch.as('dedupe');
  await expect(other.query('select * from reconcile.item')).rejects.toMatchObject(denied);
});

test('the schema is described in one stable text', async () => {
  await run();
  expect(await describeSchema(scratch.as('reconciler_owner'), 'reconcile'))
    .toBe(`create table reconcile.item (
  tenant_id text not null,
  id bigint not null,
  size integer not null default 0,
  constraint item_pkey PRIMARY KEY (tenant_id, id),
  constraint item_size_check CHECK ((size >= 0))
);

CREATE INDEX item_size ON reconcile.item USING btree (tenant_id, size) WHERE (size > 0);
grant insert, select on reconcile.item to reconciler;
`);
});
