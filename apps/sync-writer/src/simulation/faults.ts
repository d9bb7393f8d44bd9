/** How often what goes wrong, as parts of all occasions. */
export interface FaultRates {
  /** At every await of a process: it dies, and comes back after a while. */
  readonly crash: number;
  /** At every await of a process: the whole of it stands still for 0.1 to 90 s. */
  readonly pause: number;
  /** A store call has its effect, and its answer is lost. */
  readonly lostCommit: number;
  /** A CRM write is made, and nobody hears of it. */
  readonly lostAnswer: number;
  /** A CRM write never arrives, and nobody hears so. */
  readonly lostRequest: number;
  /** A CRM write goes on long after everybody has given up on it. */
  readonly slowWrite: number;
  /** The CRM refuses for now. */
  readonly throttled: number;
  /** A webhook is delivered once more. */
  readonly twiceDelivered: number;
}

export const usualFaults: FaultRates = {
  crash: 0.004,
  pause: 0.008,
  lostCommit: 0.004,
  lostAnswer: 0.04,
  lostRequest: 0.02,
  slowWrite: 0.03,
  throttled: 0.02,
  twiceDelivered: 0.2,
};

/** Processes that hardly get anything done. */
export const harshFaults: FaultRates = {
  ...usualFaults,
  crash: 0.012,
  pause: 0.03,
  lostCommit: 0.012,
};

export const noFaults: FaultRates = {
  crash: 0,
  pause: 0,
  lostCommit: 0,
  lostAnswer: 0,
  lostRequest: 0,
  slowWrite: 0,
  throttled: 0,
  twiceDelivered: 0,
};

export type FaultName = keyof FaultRates;

/** Faults injected so far. */
export class FaultCount {
  private readonly counts = new Map<FaultName, number>();

  add(fault: FaultName): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
  }

  all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }
}
