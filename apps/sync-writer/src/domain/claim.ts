/**
 * A claim is the short, owned, expiring right to write one entity at one source.
 *
 *            take (in the transaction that checks the mapping)
 *   (no row) ───────────────▶ claimed ──compare-and-set──▶ sending ──settled──▶ (no row)
 *                               │  ▲                          │
 *                 lease expired └──┘ taken over               └─ holder gone: the outcome is unknown
 *
 * `claimed` says that nothing has been sent: once its lease has expired anybody may take it over.
 * `sending` says that a request may be under way, whether its sender lives or not. Nobody else
 * sends for that entity until the outcome is known: by a probe the CRM answers with certainty
 * (a read by unique key), or, where there is none, after the settle time (the client's deadline,
 * the CRM's own longest run and its index lag have passed), which is the reconciler's work.
 * The mapping is only ever committed by the holder of the token, in the transaction that removes
 * the claim; a holder that was overtaken while paused finds its token gone and writes nothing.
 */
export interface ClaimRow {
  readonly claimKey: string;
  readonly token: string;
  readonly state: 'claimed' | 'sending';
  readonly operationId: string;
  readonly leaseUntilMs: number;
  readonly settleAtMs: number | null;
}

export type ClaimVerdict =
  | { readonly kind: 'take-over' }
  /** Its sender is gone and a strong probe can tell what became of the request. */
  | { readonly kind: 'probe' }
  /** Its sender is gone and only time can tell: name the operation unknown, then wait. */
  | { readonly kind: 'name-unknown'; readonly untilMs: number }
  | { readonly kind: 'wait'; readonly untilMs: number };

/** What a worker may do about a claim that somebody else holds. */
export const decideClaim = (
  held: ClaimRow,
  world: { readonly nowMs: number; readonly strongProbe: boolean },
): ClaimVerdict => {
  if (held.leaseUntilMs > world.nowMs) return { kind: 'wait', untilMs: held.leaseUntilMs };
  switch (held.state) {
    case 'claimed':
      return { kind: 'take-over' };
    case 'sending':
      return world.strongProbe
        ? { kind: 'probe' }
        : { kind: 'name-unknown', untilMs: held.settleAtMs ?? world.nowMs };
    default:
      return held.state satisfies never;
  }
};

export interface Timing {
  readonly requestDeadlineMs: number;
  readonly crmLongestRunMs: number;
  readonly indexLagMs: number;
}

/** Budget between asking for `sending` and the request: a longer pause gives the claim back. */
export const sendBudgetMs = 1_000;

/** Clock difference between two pods and the database that the arithmetic tolerates. */
const skewMs = 1_000;

/** After this span nobody's request can still be travelling, and a search shows what it left. */
export const settleSpanMs = (timing: Timing): number =>
  timing.requestDeadlineMs + timing.crmLongestRunMs + timing.indexLagMs;

/** Lease of a claim in `sending`: longer than its request can be waited for. */
export const sendingLeaseMs = (timing: Timing): number =>
  sendBudgetMs + timing.requestDeadlineMs + skewMs;

/** Lease of a claim in `claimed`: covers one look for an existing record before the request. */
export const claimedLeaseMs = (timing: Timing): number =>
  2 * timing.requestDeadlineMs + sendBudgetMs + skewMs;

/** Faults of a source's timing that would let two requests for one key overlap; empty when sound. */
export const timingFaults = (timing: Timing): readonly string[] => {
  const faults: string[] = [];
  if (timing.requestDeadlineMs <= 0) faults.push('requestDeadlineMs must be above 0');
  if (timing.crmLongestRunMs < timing.requestDeadlineMs)
    faults.push(
      'crmLongestRunMs must be at least requestDeadlineMs: a CRM may run what nobody awaits',
    );
  if (timing.indexLagMs < 0) faults.push('indexLagMs must not be negative');
  return faults;
};
