import type { Queryable } from './db.js';

/**
 * A stable text of a schema: tables with columns, constraints, indexes and what the service role
 * may do. Committed beside the migrations as `schema.golden.sql`, so that a review sees the
 * result of a migration and not only the step. The migrations table itself is left out.
 */
export async function describeSchema(db: Queryable, schema: string): Promise<string> {
  const columns = await db.query<{ table_name: string; line: string }>(COLUMNS, [schema]);
  const constraints = await db.query<{ table_name: string; line: string }>(CONSTRAINTS, [schema]);
  const indexes = await db.query<{ line: string }>(INDEXES, [schema]);
  const grants = await db.query<{ line: string }>(GRANTS, [schema]);
  const tables = [...new Set(columns.map((column) => column.table_name))];
  const linesOf = (rows: readonly { table_name: string; line: string }[], table: string) =>
    rows.filter((row) => row.table_name === table).map((row) => `  ${row.line}`);
  const bodies = tables.map((table) => {
    const lines = [...linesOf(columns, table), ...linesOf(constraints, table)];
    return `create table ${schema}.${table} (\n${lines.join(',\n')}\n);`;
  });
  const tail = [...indexes, ...grants].map((row) => `${row.line};`);
  return [...bodies, tail.join('\n'), ''].join('\n\n').replace(/\n+$/, '\n');
}

const COLUMNS = `
  select c.relname as table_name,
         a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
           || case when a.attnotnull then ' not null' else '' end
           || case when a.attgenerated = 's'
                   then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                   else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end as line
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> 'migrations'
  order by c.relname, a.attnum`;

// 'n' (not null as a constraint) exists from PostgreSQL 18 on and is already said by the column.
const CONSTRAINTS = `
  select c.relname as table_name, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as line
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname <> 'migrations' and k.contype <> 'n'
  order by c.relname, k.contype desc, k.conname`;

const INDEXES = `
  select indexdef as line
  from pg_indexes i
  where schemaname = $1 and tablename <> 'migrations'
    and not exists (
      select 1 from pg_constraint k
      join pg_namespace n on n.oid = k.connamespace
      where n.nspname = i.schemaname and k.conname = i.indexname)
  order by tablename, indexname`;

const GRANTS = `
  select 'grant ' || lower(string_agg(privilege_type, ', ' order by privilege_type))
         || ' on ' || table_schema || '.' || table_name || ' to ' || grantee as line
  from information_schema.role_table_grants
  where table_schema = $1 and table_name <> 'migrations' and grantee <> grantor
  group by table_schema, table_name, grantee
  order by table_name, grantee`;
