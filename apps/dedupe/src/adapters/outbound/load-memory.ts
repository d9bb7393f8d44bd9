import {
  recordKey,
  type Fingerprint,
  type OperationId,
  type Outcome,
  type RecordRef,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { GateMemory } from '../../application/ports.js';
import {
  emptyHead,
  emptyMemory,
  type LedgerEntry,
  type RecordHead,
  type RecordMemory,
  type RememberedWrite,
} from '../../domain/record-memory.js';
import { recordColumns, recordParams, toRecordRef, type RecordRow } from './record-columns.js';

/** Everything the gate must know of a batch, in three statements whatever its size. */
export const loadMemory = async (tx: Tx, events: readonly SourceEvent[]): Promise<GateMemory> => {
  if (events.length === 0) return { seen: new Map(), memories: new Map() };
  const seen = await loadLedger(tx, events);
  const heads = await loadHeads(tx, events);
  const written = await loadWritten(tx, events);
  const memories = new Map<string, RecordMemory>();
  for (const key of new Set([...heads.keys(), ...written.keys()]))
    memories.set(key, {
      ...emptyMemory,
      head: heads.get(key) ?? emptyHead,
      written: written.get(key) ?? {},
    });
  return { seen, memories };
};

interface LedgerRow extends RecordRow {
  readonly event_key: string;
  readonly fingerprint: string;
  readonly state: LedgerEntry['state'];
  readonly outcome: Outcome | null;
}

const loadLedger = async (
  tx: Tx,
  events: readonly SourceEvent[],
): Promise<ReadonlyMap<string, LedgerEntry>> => {
  const rows = await tx.query<LedgerRow>(
    `select l.tenant_id, l.source_id, l.event_key, l.fingerprint, l.record_type, l.external_id, l.state, l.outcome
       from (select distinct * from unnest($1::text[], $2::text[], $3::uuid[]) as e(tenant_id, source_id, event_key)) e
      cross join lateral (
        select * from dedupe.event_ledger l
         where l.tenant_id = e.tenant_id and l.source_id = e.source_id and l.event_key = e.event_key
      ) l`,
    [
      events.map(({ tenantId }) => tenantId),
      events.map(({ sourceId }) => sourceId),
      events.map(({ eventKey }) => eventKey),
    ],
  );
  return new Map(
    rows.map((row) => [
      `${row.tenant_id}\u001f${row.source_id}\u001f${row.event_key}`,
      {
        fingerprint: row.fingerprint as Fingerprint,
        recordKey: recordKey(toRecordRef(row)),
        state: row.state,
        outcome: row.outcome,
      },
    ]),
  );
};

/** Heads by `recordKey`; records never heard of have none. */
export const loadHeads = async (
  tx: Tx,
  records: readonly RecordRef[],
): Promise<ReadonlyMap<string, RecordHead>> => {
  const rows = await tx.query<RecordRow & { readonly head: RecordHead }>(
    `select h.*
       from (select distinct * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as r(${recordColumns})) r
      cross join lateral (
        select * from dedupe.record_heads h
         where h.tenant_id = r.tenant_id and h.source_id = r.source_id
           and h.record_type = r.record_type and h.external_id = r.external_id
      ) h`,
    recordParams(records),
  );
  return new Map(rows.map((row) => [recordKey(toRecordRef(row)), row.head]));
};

interface WrittenRow extends RecordRow {
  readonly field: string;
  readonly fingerprint: string;
  readonly operation_id: string;
  readonly written_at_ms: number;
}

const loadWritten = async (
  tx: Tx,
  records: readonly RecordRef[],
): Promise<ReadonlyMap<string, RecordMemory['written']>> => {
  const rows = await tx.query<WrittenRow>(
    `select w.*
       from (select distinct * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as r(${recordColumns})) r
      cross join lateral (
        select * from dedupe.write_memory w
         where w.tenant_id = r.tenant_id and w.source_id = r.source_id
           and w.record_type = r.record_type and w.external_id = r.external_id
      ) w
      order by w.written_at_ms desc`,
    recordParams(records),
  );
  const written = new Map<string, Map<string, RememberedWrite[]>>();
  for (const row of rows) {
    const key = recordKey(toRecordRef(row));
    const fields = written.get(key) ?? new Map<string, RememberedWrite[]>();
    const write = {
      fingerprint: row.fingerprint as Fingerprint,
      operationId: row.operation_id as OperationId,
      writtenAtMs: row.written_at_ms,
    };
    written.set(key, fields.set(row.field, [...(fields.get(row.field) ?? []), write]));
  }
  // By way of entries: a plan may call a field `constructor`.
  return new Map([...written].map(([key, fields]) => [key, Object.fromEntries(fields)]));
};
