import {
  isSettled,
  type OperationId,
  type Outcome,
  type SyncResult,
} from '@counterpart/sync-model';

/** What is known of one operation that an event led to. */
export interface OperationResult {
  readonly version: number;
  readonly outcome: Outcome;
  readonly reason: string;
}

/** A ledger entry's verdict, from the results of its operations. */
export interface Settlement {
  readonly state: 'parked' | 'settled';
  readonly outcome: Outcome;
  readonly reason: string;
}

export type OperationResults = Readonly<Record<OperationId, OperationResult>>;

/** Adds one result; an older version of the same operation changes nothing. */
export const withResult = (
  known: OperationResults,
  operationId: OperationId,
  result: OperationResult,
): OperationResults => {
  const before = known[operationId];
  return before !== undefined && before.version >= result.version
    ? known
    : { ...known, [operationId]: result };
};

/** Lays a result of the writer or the reconciler over what is known. */
export const withSyncResult = (known: OperationResults, result: SyncResult): OperationResults =>
  withResult(known, result.operationId, {
    version: result.operationVersion,
    outcome: result.outcome,
    reason: result.reason,
  });

/** Worst first: what needs somebody, then what happened, then what did not need to happen. */
const rank: Readonly<Record<Outcome, number>> = {
  'needs-review': 0,
  quarantined: 1,
  conflict: 2,
  unknown: 3,
  held: 4,
  reconciled: 5,
  applied: 6,
  superseded: 7,
  stale: 8,
  'no-op': 9,
  duplicate: 10,
  echo: 11,
};

/**
 * An event may lead to several operations (targets, related records). It is settled when every
 * result heard of is settled; until then the worst one speaks for it. Undefined without results.
 */
export const settlementOf = (results: OperationResults): Settlement | undefined => {
  const [first, ...rest] = Object.values(results);
  if (first === undefined) return undefined;
  const worst = rest.reduce(
    (held, next) => (rank[next.outcome] < rank[held.outcome] ? next : held),
    first,
  );
  const { outcome, reason } = worst;
  return { state: isSettled(outcome) ? 'settled' : 'parked', outcome, reason };
};
