import type { SyncResult } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import {
  settlementOf,
  withSyncResult,
  type OperationResults,
  type Settlement,
} from '../../domain/settle-entry.js';

interface EntryRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly event_key: string;
  readonly results: OperationResults;
}

interface Settled {
  readonly entry: EntryRow;
  readonly results: OperationResults;
  readonly settlement: Settlement;
}

/**
 * Lays results over the ledger entries of the events that led to them; results of events that the
 * gate has not seen are somebody else's.
 */
export const settleResults = async (tx: Tx, results: readonly SyncResult[]): Promise<void> => {
  if (results.length === 0) return;
  const byEvent = byEventOf(results);
  const entries = await lockEntries(tx, results);
  const settled = entries.flatMap((entry): Settled[] => {
    const told = byEvent.get(keyOf(entry.tenant_id, entry.source_id, entry.event_key)) ?? [];
    const folded = told.reduce(withSyncResult, entry.results);
    const settlement = folded === entry.results ? undefined : settlementOf(folded);
    return settlement === undefined ? [] : [{ entry, results: folded, settlement }];
  });
  if (settled.length > 0) await updateEntries(tx, settled);
};

const keyOf = (tenantId: string, sourceId: string, eventKey: string): string =>
  `${tenantId}\u001f${sourceId}\u001f${eventKey}`;

const byEventOf = (results: readonly SyncResult[]): ReadonlyMap<string, readonly SyncResult[]> => {
  const byEvent = new Map<string, SyncResult[]>();
  for (const result of results) {
    const key = keyOf(result.tenantId, result.originSourceId, result.eventKey);
    byEvent.set(key, [...(byEvent.get(key) ?? []), result]);
  }
  return byEvent;
};

/** In one order for all consumers: two batches about the same events wait, they do not deadlock. */
const lockEntries = (tx: Tx, results: readonly SyncResult[]): Promise<EntryRow[]> =>
  tx.query<EntryRow>(
    `select l.tenant_id, l.source_id, l.event_key, l.results
       from dedupe.event_ledger l
       join (select distinct *
               from unnest($1::text[], $2::text[], $3::uuid[]) as r(tenant_id, source_id, event_key)) r
         using (tenant_id, source_id, event_key)
      order by l.tenant_id, l.source_id, l.event_key
        for update of l`,
    [
      results.map(({ tenantId }) => tenantId),
      results.map(({ originSourceId }) => originSourceId),
      results.map(({ eventKey }) => eventKey),
    ],
  );

const updateEntries = (tx: Tx, settled: readonly Settled[]): Promise<unknown> =>
  tx.query(
    `update dedupe.event_ledger l
        set results = n.results, state = n.state, outcome = n.outcome, reason = n.reason
       from unnest($1::text[], $2::text[], $3::uuid[], $4::jsonb[], $5::text[], $6::text[], $7::text[])
            as n(tenant_id, source_id, event_key, results, state, outcome, reason)
      where l.tenant_id = n.tenant_id and l.source_id = n.source_id and l.event_key = n.event_key`,
    [
      settled.map(({ entry }) => entry.tenant_id),
      settled.map(({ entry }) => entry.source_id),
      settled.map(({ entry }) => entry.event_key),
      settled.map(({ results }) => JSON.stringify(results)),
      settled.map(({ settlement }) => settlement.state),
      settled.map(({ settlement }) => settlement.outcome),
      settled.map(({ settlement }) => settlement.reason),
    ],
  );
