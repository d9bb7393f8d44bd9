import type { Tx } from '@counterpart/platform-postgres';
import type { GateChanges, MemoryChange } from '../../domain/run-gate.js';
import { recordColumns, recordParams } from './record-columns.js';
import { forgetWrites } from './write-memory.js';

/** Another consumer kept one of the same events first: decide again, with its decision in sight. */
export class LedgerRace extends Error {
  override readonly name = 'LedgerRace';
}

/** Saves what a batch decided and learnt, a statement each. */
export const saveGate = async (tx: Tx, changes: GateChanges): Promise<void> => {
  await insertLedger(tx, changes.ledger);
  await insertConflicts(tx, changes.conflicts);
  await upsertHeads(tx, changes.memories);
  await forgetWrites(tx, changes.memories);
};

const insertLedger = async (tx: Tx, rows: GateChanges['ledger']): Promise<void> => {
  if (rows.length === 0) return;
  const inserted = await tx.query(
    `insert into dedupe.event_ledger (tenant_id, source_id, event_key, fingerprint, record_type, external_id, state, outcome, reason, evidence, suppressed)
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[])
     on conflict (tenant_id, source_id, event_key) do nothing
     returning 1`,
    [
      rows.map(({ event }) => event.tenantId),
      rows.map(({ event }) => event.sourceId),
      rows.map(({ event }) => event.eventKey),
      rows.map(({ event }) => event.fingerprint),
      rows.map(({ event }) => event.recordType),
      rows.map(({ event }) => event.externalId),
      rows.map(({ state }) => state),
      rows.map(({ outcome }) => outcome),
      rows.map(({ reason }) => reason),
      rows.map(({ evidence }) => evidence),
      rows.map(({ suppressed }) => JSON.stringify(suppressed)),
    ],
  );
  if (inserted.length < rows.length) throw new LedgerRace('an event was kept by another consumer');
};

const insertConflicts = async (tx: Tx, rows: GateChanges['conflicts']): Promise<void> => {
  if (rows.length === 0) return;
  await tx.query(
    `insert into dedupe.event_conflicts (tenant_id, source_id, event_key, fingerprint, reason, payload)
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::jsonb[])
     on conflict do nothing`,
    [
      rows.map(({ event }) => event.tenantId),
      rows.map(({ event }) => event.sourceId),
      rows.map(({ event }) => event.eventKey),
      rows.map(({ event }) => event.fingerprint),
      rows.map(({ reason }) => reason),
      rows.map(({ event }) => storableJson(event)),
    ],
  );
};

/**
 * PostgreSQL's jsonb refuses NUL and halves of surrogate pairs, which a stranger's payload may
 * hold; they are shown as U+FFFD. An escaped backslash before `u0000` is plain text and stays.
 */
const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(\\|u0000|ud[89a-f][\da-f]{2})/g, (found, escaped: string) =>
    escaped === '\\' ? found : '\\ufffd',
  );

const upsertHeads = async (tx: Tx, memories: readonly MemoryChange[]): Promise<void> => {
  const changed = memories.filter(({ before, after }) => before.head !== after.head);
  if (changed.length === 0) return;
  await tx.query(
    `insert into dedupe.record_heads (${recordColumns}, head)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[])
     on conflict (${recordColumns}) do update set head = excluded.head, updated_at = now()`,
    [
      ...recordParams(changed.map(({ record }) => record)),
      changed.map(({ after }) => JSON.stringify(after.head)),
    ],
  );
};
