import { planMigrations, type AppliedMigration, type MigrationFile } from './migration-plan.js';

const file = (name: string, sha256 = 'a'): MigrationFile => ({ name, sql: 'select 1', sha256 });
const row = (name: string, sha256 = 'a'): AppliedMigration => ({ name, sha256 });

const first = '0001_create_inbox.sql';
const second = '0002_add_lane.sql';
const third = '0003_drop_lane.sql';

test.each<[string, MigrationFile[], AppliedMigration[], string[]]>([
  ['an empty database runs all, in order', [file(second), file(first)], [], [first, second]],
  ['what was applied is left alone', [file(first), file(second)], [row(first)], [second]],
  ['nothing is left', [file(first)], [row(first)], []],
  ['no files at all', [], [], []],
  ['the next release migrated already', [file(first)], [row(first), row(second)], []],
])('%s', (_what, files, applied, pending) => {
  const plan = planMigrations(files, applied);
  expect(plan.ok && plan.pending.map(({ name }) => name)).toEqual(pending);
});

test.each<[string, MigrationFile[], AppliedMigration[]]>([
  ['migration-changed', [file(first, 'b')], [row(first, 'a')]],
  ['migration-missing', [file(second)], [row(first), row(second)]],
  ['migration-order', [file(first), file(second)], [row(second)]],
  ['migration-number', [file(first), file('0001_add_other.sql')], []],
  ['migration-name', [file('1_create.sql')], []],
  ['migration-name', [file('0001_Create.sql')], []],
  ['migration-name', [file('0001-create.sql')], []],
  ['migration-missing', [file(first), file(third)], [row(first), row(second), row(third)]],
])('%s is refused', (code, files, applied) => {
  expect(planMigrations(files, applied)).toMatchObject({ ok: false, code });
});
