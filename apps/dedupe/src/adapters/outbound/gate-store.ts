/**
 * The gate's memory in PostgreSQL.
 *
 * Three kinds of work meet at a record: events, reports of our writes, and (at the event's own row)
 * results. Events and reports take a lock on each record they are about, before they read, in one
 * order for all consumers. So two consumers that hold one partition for a moment (one of them does
 * not know yet that it lost it) decide one after the other and the second finds the ledger of the
 * first; and a report cannot bring back the memory of a write that an edit is just making void.
 * The locks end with their transaction. Outbox rows are numbered under them, so that the messages
 * of one record leave in the order of its decisions.
 *
 * One event key for two records is the case the locks do not cover: the ledger's primary key does,
 * and the loser decides again (`LedgerRace`).
 */
import { fingerprintOfValue, recordKey, type RecordRef } from '@counterpart/sync-model';
import { retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import type { GateStore } from '../../application/ports.js';
import { emptyHead } from '../../domain/record-memory.js';
import { writesToRemember } from '../../domain/remember-write.js';
import { loadHeads, loadMemory } from './load-memory.js';
import { LedgerRace, saveGate } from './save-gate.js';
import type { SaveMessages } from './save-messages.js';
import { settleResults } from './settle-results.js';
import { rememberWrites, type WriteRow } from './write-memory.js';

const racesMax = 5;
/** A deletion has no value; any constant will do. */
const deletionMark = fingerprintOfValue('deleted');

/** The store over the service's own schema; `save` puts messages into its outbox. */
export const createGateStore = (db: Db, save: SaveMessages): GateStore => ({
  decide: (events, decide) =>
    untilNoRace(() =>
      retryTransaction(db, async (tx) => {
        await lockRecords(tx, events);
        const output = decide(await loadMemory(tx, events));
        await saveGate(tx, output.changes);
        await save(tx, output.outgoing);
        return output;
      }),
    ),
  remember: (reports, deadLetters) =>
    retryTransaction(db, async (tx) => {
      await lockRecords(tx, reports);
      const heads = await loadHeads(tx, reports);
      const rows = reports.flatMap((report) =>
        rowsOf(report, heads.get(recordKey(report)) ?? emptyHead),
      );
      await rememberWrites(tx, rows);
      await save(tx, { operations: [], deadLetters });
    }),
  settle: (results, deadLetters) =>
    retryTransaction(db, async (tx) => {
      await settleResults(tx, results);
      await save(tx, { operations: [], deadLetters });
    }),
});

const untilNoRace = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let race = 1; ; race += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LedgerRace) || race >= racesMax) throw error;
    }
  }
};

const lockRecords = async (tx: Tx, records: readonly RecordRef[]): Promise<void> => {
  if (records.length === 0) return;
  await tx.query(
    `select pg_advisory_xact_lock(place)
       from (select distinct hashtextextended(r, 0) as place
               from unnest($1::text[]) r
              order by 1) places`,
    [records.map(recordKey)],
  );
};

const rowsOf = (
  report: Parameters<typeof writesToRemember>[1],
  head: Parameters<typeof writesToRemember>[0],
): readonly WriteRow[] =>
  writesToRemember(head, report, deletionMark).map((write) => ({
    record: report,
    ...write,
    operationId: report.operationId,
    writtenAtMs: report.writtenAtMs,
  }));
