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
 * sends for that entity until the outcome is known. A created record that is found proves the
 * write at any time; all else proves something only after the settle time, when no request can
 * still be travelling (the client's deadline and the CRM's own longest run have passed) and the
 * CRM shows what it left (at once to a strong probe, a read by unique key; to a search after the
 * index lag). After it a strong probe is made by whoever meets the claim; where there is only a
 * search the operation is named unknown, and looking is the reconciler's work.
 * The mapping is only ever committed by the holder of the token, in the transaction that removes
 * the claim; a holder that was overtaken while paused finds its token gone and writes nothing.
 */
export interface ClaimRow {
  readonly claimKey: string;
  readonly token: string;
  readonly state: 'claimed' | 'sending';
  readonly operationId: string;
  readonly leaseUntilMs: number;
  /** Null while nothing has been sent. */
  readonly request: RequestTimes | null;
}

/** One request that was sent, or may have been. */
export interface RequestTimes {
  readonly sentAtMs: number;
  /** From then on it cannot be travelling any more, and a probe shows what it left. */
  readonly settleAtMs: number;
}

export type ClaimVerdict =
  | { readonly kind: 'take-over' }
  /** Its sender is gone, no request is under way, and a strong probe can tell what became of it. */
  | { readonly kind: 'probe'; readonly request: RequestTimes }
  /** Its sender is gone and only time can tell: name the operation unknown, then wait. */
  | { readonly kind: 'name-unknown'; readonly request: RequestTimes }
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
    case 'sending': {
      const request = held.request ?? {
        sentAtMs: held.leaseUntilMs,
        settleAtMs: held.leaseUntilMs,
      };
      if (!world.strongProbe) return { kind: 'name-unknown', request };
      return request.settleAtMs > world.nowMs
        ? { kind: 'wait', untilMs: request.settleAtMs }
        : { kind: 'probe', request };
    }
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

/** From the mark `sending` until nobody's request can still be travelling and a probe shows what it left. */
export const settleSpanMs = (timing: Timing, strongProbe: boolean): number =>
  sendBudgetMs +
  timing.requestDeadlineMs +
  timing.crmLongestRunMs +
  (strongProbe ? 0 : timing.indexLagMs) +
  skewMs;

/** Lease of a claim in `sending`: longer than its request can be waited for. */
export const sendingLeaseMs = (timing: Timing): number =>
  sendBudgetMs + timing.requestDeadlineMs + skewMs;

/** While the reconciler has yet to look, nobody needs to ask again; then it is named once more. */
export const readbackGraceMs = 30_000;

/** Lease of a claim that was taken over from a lost sender. */
export const takenLeaseMs = (
  verdict: Extract<ClaimVerdict, { kind: 'probe' | 'name-unknown' }>,
  { sendingLeaseMs: probingMs }: { readonly sendingLeaseMs: number },
  nowMs: number,
): number =>
  verdict.kind === 'probe'
    ? probingMs
    : Math.max(0, verdict.request.settleAtMs - nowMs) + readbackGraceMs;

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
