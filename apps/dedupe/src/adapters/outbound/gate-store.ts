import {
  fingerprintOfValue,
  recordKey,
  type DeadLetter,
  type RecordRef,
  type SyncResult,
  type WriteMemory,
} from '@counterpart/sync-model';
import { retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import type { GateStore } from '../../application/ports.js';
import { emptyHead } from '../../domain/record-memory.js';
import { writesToRemember } from '../../domain/remember-write.js';
import { settlementOf, type OperationResults } from '../../domain/settle-entry.js';

import { loadHeads, loadMemory } from './load-memory.js';
import { LedgerRace, saveGate } from './save-gate.js';
import type { SaveMessages } from './save-messages.js';
import { rememberWrites } from './write-memory.js';

const racesMax = 5;
/** A deletion has no value; any constant will do. */
const deletionMark = fingerprintOfValue('deleted');

/**
 * The gate's memory in PostgreSQL. A transaction first takes a lock on each record it is about, in
 * one order for all consumers: two consumers that hold the same partition for a moment (one of them
 * does not know yet that it lost it) decide one after the other, and the second finds the ledger.
 */
export const createGateStore = (db: Db, save: SaveMessages): GateStore => ({
  async decide(request, decide) {
    for (let race = 1; ; race += 1) {
      try {
        await retryTransaction(db, async (tx) => {
          await lockRecords(tx, request.records);
          const output = decide(await loadMemory(tx, request));
          await saveGate(tx, output);
          await save(
            tx,
            output.operations.map(({ operation, index }) => ({
              operation,
              traceparent: output.traceparents[index] ?? null,
            })),
            output.deadLetters,
          );
        });
        return;
      } catch (error) {
        if (!(error instanceof LedgerRace) || race >= racesMax) throw error;
      }
    }
  },
  remember: (reports, unreadable) =>
    retryTransaction(db, (tx) => remember(tx, reports, unreadable, save)),
  settle: (results, fold, unreadable) =>
    retryTransaction(db, (tx) => settle(tx, results, fold, unreadable, save)),
});

const lockRecords = async (tx: Tx, records: readonly RecordRef[]): Promise<void> => {
  if (records.length === 0) return;
  await tx.query(
    `select pg_advisory_xact_lock(place)
       from (select distinct hashtextextended(r, 0) as place from unnest($1::text[]) r order by 1) places`,
    [records.map(recordKey)],
  );
};

const remember = async (
  tx: Tx,
  reports: readonly WriteMemory[],
  unreadable: readonly DeadLetter[],
  save: SaveMessages,
): Promise<void> => {
  await lockRecords(tx, reports);
  const heads = await loadHeads(tx, reports);
  await rememberWrites(
    tx,
    reports.flatMap((report) =>
      writesToRemember(heads.get(recordKey(report)) ?? emptyHead, report, deletionMark).map(
        (write) => ({
          record: report,
          ...write,
          operationId: report.operationId,
          writtenAtMs: report.writtenAtMs,
        }),
      ),
    ),
  );
  await save(tx, [], unreadable);
};

interface ResultsRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly event_key: string;
  readonly results: OperationResults;
}

/** Lays results over the ledger entries of the events that led to them; unknown events are not ours. */
const settle = async (
  tx: Tx,
  results: readonly SyncResult[],
  fold: (known: OperationResults, result: SyncResult) => OperationResults,
  unreadable: readonly DeadLetter[],
  save: SaveMessages,
): Promise<void> => {
  const rows = await tx.query<ResultsRow>(
    `select l.tenant_id, l.source_id, l.event_key, l.results
       from dedupe.event_ledger l
       join (select distinct * from unnest($1::text[], $2::text[], $3::uuid[]) as r(tenant_id, source_id, event_key)) r
         using (tenant_id, source_id, event_key)
      order by l.tenant_id, l.source_id, l.event_key for update of l`,
    [
      results.map(({ tenantId }) => tenantId),
      results.map(({ originSourceId }) => originSourceId),
      results.map(({ eventKey }) => eventKey),
    ],
  );
  const keyOf = (tenant: string, source: string, event: string) =>
    `${tenant}\u001f${source}\u001f${event}`;
  const entries = new Map(
    rows.map((row) => [
      keyOf(row.tenant_id, row.source_id, row.event_key),
      { row, results: row.results },
    ]),
  );
  for (const result of results) {
    const entry = entries.get(keyOf(result.tenantId, result.originSourceId, result.eventKey));
    if (entry !== undefined) entry.results = fold(entry.results, result);
  }
  await writeResults(tx, [...entries.values()]);
  await save(tx, [], unreadable);
};

const writeResults = async (
  tx: Tx,
  entries: readonly { readonly row: ResultsRow; readonly results: OperationResults }[],
): Promise<void> => {
  const settled = entries.flatMap(({ row, results }) => {
    const settlement = results === row.results ? undefined : settlementOf(results);
    return settlement === undefined ? [] : [{ row, results, settlement }];
  });
  if (settled.length === 0) return;
  await tx.query(
    `update dedupe.event_ledger l
        set results = n.results, state = n.state, outcome = n.outcome, reason = n.reason
       from unnest($1::text[], $2::text[], $3::uuid[], $4::jsonb[], $5::text[], $6::text[], $7::text[])
            as n(tenant_id, source_id, event_key, results, state, outcome, reason)
      where l.tenant_id = n.tenant_id and l.source_id = n.source_id and l.event_key = n.event_key`,
    [
      settled.map(({ row }) => row.tenant_id),
      settled.map(({ row }) => row.source_id),
      settled.map(({ row }) => row.event_key),
      settled.map(({ results }) => JSON.stringify(results)),
      settled.map(({ settlement }) => settlement.state),
      settled.map(({ settlement }) => settlement.outcome),
      settled.map(({ settlement }) => settlement.reason),
    ],
  );
};
