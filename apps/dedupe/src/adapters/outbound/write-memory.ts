import {
  recordKey,
  type Fingerprint,
  type OperationId,
  type RecordRef,
} from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import { rememberedMax } from '../../domain/remember-write.js';
import type { MemoryChange } from '../../domain/run-gate.js';
import { recordColumns, recordParams } from './record-columns.js';

export interface WriteRow {
  readonly record: RecordRef;
  readonly field: string;
  readonly fingerprint: Fingerprint;
  readonly operationId: OperationId;
  readonly writtenAtMs: number;
}

/** Remembers values the CRM stored for us; of each field only the newest few are kept. */
export const rememberWrites = async (tx: Tx, writes: readonly WriteRow[]): Promise<void> => {
  const rows = newestOf(writes);
  if (rows.length === 0) return;
  await upsertWrites(tx, rows);
  await dropOldest(tx, rows);
};

/** One row a value, the latest: a statement may not touch a row twice. */
const newestOf = (writes: readonly WriteRow[]): readonly WriteRow[] => {
  const inOrder = [...writes].sort((a, b) => a.writtenAtMs - b.writtenAtMs);
  const keyOf = ({ record, field, fingerprint }: WriteRow) =>
    [recordKey(record), field, fingerprint].join('\u001f');
  return [...new Map(inOrder.map((write) => [keyOf(write), write])).values()];
};

const upsertWrites = (tx: Tx, rows: readonly WriteRow[]): Promise<unknown> =>
  tx.query(
    `insert into dedupe.write_memory as w (${recordColumns}, field, fingerprint, operation_id, written_at_ms)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::bigint[])
     on conflict (${recordColumns}, field, fingerprint) do update
        set operation_id = excluded.operation_id, written_at_ms = excluded.written_at_ms
      where w.written_at_ms < excluded.written_at_ms`,
    [
      ...recordParams(rows.map(({ record }) => record)),
      rows.map(({ field }) => field),
      rows.map(({ fingerprint }) => fingerprint),
      rows.map(({ operationId }) => operationId),
      rows.map(({ writtenAtMs }) => writtenAtMs),
    ],
  );

/** Walks the few rows of each field that was written, never the table. */
const dropOldest = (tx: Tx, rows: readonly WriteRow[]): Promise<unknown> =>
  tx.query(
    `delete from dedupe.write_memory w
      using (select distinct *
               from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as t(${recordColumns}, field)) t
      cross join lateral (
        select o.fingerprint from dedupe.write_memory o
         where (o.tenant_id, o.source_id, o.record_type, o.external_id, o.field)
             = (t.tenant_id, t.source_id, t.record_type, t.external_id, t.field)
         order by o.written_at_ms desc, o.fingerprint
        offset ${rememberedMax}
      ) old
      where (w.tenant_id, w.source_id, w.record_type, w.external_id, w.field, w.fingerprint)
          = (t.tenant_id, t.source_id, t.record_type, t.external_id, t.field, old.fingerprint)`,
    [...recordParams(rows.map(({ record }) => record)), rows.map(({ field }) => field)],
  );

/** Removes what a batch made void: a real edit of a field ends the memory of what we wrote there. */
export const forgetWrites = async (tx: Tx, memories: readonly MemoryChange[]): Promise<void> => {
  const gone = memories.flatMap(({ record, before, after }) =>
    Object.keys(before.written)
      .filter((field) => !Object.hasOwn(after.written, field))
      .map((field) => ({ record, field })),
  );
  if (gone.length === 0) return;
  await tx.query(
    `delete from dedupe.write_memory w
      using unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as g(${recordColumns}, field)
      where (w.tenant_id, w.source_id, w.record_type, w.external_id, w.field)
          = (g.tenant_id, g.source_id, g.record_type, g.external_id, g.field)`,
    [...recordParams(gone.map(({ record }) => record)), gone.map(({ field }) => field)],
  );
};
