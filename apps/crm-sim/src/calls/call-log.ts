/** What a call was meant to do; faults match on it and counts are kept by it. */
export const callKinds = [
  'create',
  'update',
  'search',
  'read',
  'associate',
  'delete',
  'merge',
  'property',
  'token',
  'other',
] as const;
export type CallKind = (typeof callKinds)[number];

/** One HTTP call as the simulator saw it. */
export interface LoggedCall {
  /** From 1, in the order of arrival. */
  readonly n: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly kind: CallKind;
  /** Inputs of a batch; 1 for a single call. */
  readonly items: number;
  /** Null until answered, and for ever when it never was. */
  status: number | null;
  /** The type of the fault that struck, or null. */
  fault: string | null;
  /** The window that was full, when it was refused for that. */
  limited: string | null;
  /** True once the call has changed the CRM. */
  committed: boolean;
  answeredAtMs: number | null;
}

/** The newest calls are kept; counts are kept for all of them. */
export class CallLog {
  private readonly ring: LoggedCall[] = [];
  private total = 0;
  private readonly byKind = new Map<CallKind, number>();

  constructor(private readonly max: number) {}

  open(call: Pick<LoggedCall, 'atMs' | 'method' | 'path' | 'kind' | 'items'>): LoggedCall {
    this.total += 1;
    this.byKind.set(call.kind, (this.byKind.get(call.kind) ?? 0) + 1);
    const entry: LoggedCall = {
      n: this.total,
      ...call,
      status: null,
      fault: null,
      limited: null,
      committed: false,
      answeredAtMs: null,
    };
    this.ring[(this.total - 1) % this.max] = entry;
    return entry;
  }

  /** Calls with a number above `n`, oldest first. Those that fell out of the ring are gone. */
  since(n: number): LoggedCall[] {
    const first = Math.max(n + 1, this.total - this.max + 1, 1);
    const calls: LoggedCall[] = [];
    for (let number = first; number <= this.total; number++) {
      const call = this.ring[(number - 1) % this.max];
      if (call) calls.push(call);
    }
    return calls;
  }

  /** Calls by kind since the portal was made. */
  counts(): Record<string, number> {
    return { ...Object.fromEntries(this.byKind), total: this.total };
  }
}
