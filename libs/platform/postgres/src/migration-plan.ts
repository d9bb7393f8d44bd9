/** One file of `migrations/`: `0001_create_inbox.sql`. */
export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  /** Hex sha-256 of the text. */
  readonly sha256: string;
}

export interface AppliedMigration {
  readonly name: string;
  readonly sha256: string;
}

export type MigrationPlan =
  | { readonly ok: true; readonly pending: readonly MigrationFile[] }
  | { readonly ok: false; readonly code: string; readonly detail: string };

const NAME = /^\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/;

const refuse = (code: string, detail: string): MigrationPlan => ({ ok: false, code, detail });

/**
 * What is left to run. Refuses a badly named file, two files of one number, a file changed after
 * it was applied, and a new file numbered below an applied one. Applied migrations *newer* than
 * every file here are fine: that is the previous release running beside the next one.
 */
export function planMigrations(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const misnamed = sorted.find((file) => !NAME.test(file.name));
  if (misnamed) return refuse('migration-name', `${misnamed.name} is not NNNN_verb_noun.sql`);
  const twin = sorted.find((file, i) => sorted[i + 1]?.name.slice(0, 4) === file.name.slice(0, 4));
  if (twin) return refuse('migration-number', `number ${twin.name.slice(0, 4)} is used twice`);

  const known = new Map(applied.map((row) => [row.name, row.sha256]));
  const newestApplied =
    applied
      .map((row) => row.name)
      .toSorted()
      .at(-1) ?? '';
  const newestFile = sorted.at(-1)?.name ?? '';
  for (const row of applied) {
    const gone = row.name <= newestFile && !sorted.some((file) => file.name === row.name);
    if (gone) return refuse('migration-missing', `${row.name} was applied but its file is gone`);
  }
  for (const file of sorted) {
    const sha256 = known.get(file.name);
    if (sha256 === undefined) {
      if (file.name < newestApplied) {
        return refuse('migration-order', `${file.name} is new but older than ${newestApplied}`);
      }
    } else if (sha256 !== file.sha256) {
      return refuse('migration-changed', `${file.name} was changed after it was applied`);
    }
  }
  return { ok: true, pending: sorted.filter((file) => !known.has(file.name)) };
}
