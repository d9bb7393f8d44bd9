import type { Fingerprint, OperationId, RecordRef } from '@counterpart/sync-model';
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
  if (writes.length === 0) return;
  const newest = new Map(
    [...writes]
      .sort((a, b) => a.writtenAtMs - b.writtenAtMs)
      .map((write) => [
        JSON.stringify(
          [write.record, write.field, write.fingerprint]
            .map(String)
            .concat(recordParams([write.record]).flat()),
        ),
        write,
      ]),
  );
  const rows = [...newest.values()];
  await tx.query(
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
  await tx.query(
    `delete from dedupe.write_memory w
      using (
        select ${recordColumns}, field, fingerprint,
               row_number() over (partition by ${recordColumns}, field order by written_at_ms desc) as place
          from dedupe.write_memory
         where (${recordColumns}) in (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]))
      ) old
      where old.place > ${rememberedMax}
        and (w.tenant_id, w.source_id, w.record_type, w.external_id, w.field, w.fingerprint)
          = (old.tenant_id, old.source_id, old.record_type, old.external_id, old.field, old.fingerprint)`,
    recordParams(rows.map(({ record }) => record)),
  );
};

/** Removes what a batch made void: a real edit of a field ends the memory of what we wrote there. */
export const forgetWrites = async (tx: Tx, memories: readonly MemoryChange[]): Promise<void> => {
  const gone = memories.flatMap(({ record, before, after }) =>
    Object.keys(before.written)
      .filter((field) => after.written[field] === undefined)
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
