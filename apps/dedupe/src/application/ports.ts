import type {
  DeadLetter,
  EventKey,
  RecordRef,
  SourceEvent,
  SourceId,
  SyncResult,
  TenantId,
  WriteMemory,
} from '@counterpart/sync-model';
import type { LedgerEntry, RecordMemory } from '../domain/record-memory.js';
import type { OperationResults } from '../domain/settle-entry.js';
import type { GateChanges } from '../domain/run-gate.js';

/** A message that was read, with the trace it belongs to. */
export interface Arrived<T> {
  readonly value: T;
  readonly key: string;
  readonly traceparent: string | null;
  /** Where it lies: `kafka:topic/partition/offset`. */
  readonly place: string;
}

export interface EventRef {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly eventKey: EventKey;
}

/** What the gate must know before it decides a batch. Keys: `eventRefKey`, `recordKey`. */
export interface GateMemory {
  readonly seen: ReadonlyMap<string, LedgerEntry>;
  readonly memories: ReadonlyMap<string, RecordMemory>;
}

/** What a batch leaves behind; `traceparents` by the place of the event in its batch. */
export type GateOutput = GateChanges & { readonly traceparents: readonly (string | null)[] };

/** The gate's memory. Every method is one transaction. */
export interface GateStore {
  /**
   * Locks the records, loads what is known, lets `decide` work on it and saves the result together
   * with the messages. Runs again when another consumer put one of the same events first.
   */
  decide(
    request: { readonly events: readonly EventRef[]; readonly records: readonly RecordRef[] },
    decide: (memory: GateMemory) => GateOutput,
  ): Promise<void>;
  remember(reports: readonly WriteMemory[], unreadable: readonly DeadLetter[]): Promise<void>;
  settle(
    results: readonly SyncResult[],
    fold: (known: OperationResults, result: SyncResult) => OperationResults,
    unreadable: readonly DeadLetter[],
  ): Promise<void>;
}

export interface GatePorts {
  readonly store: GateStore;
  readonly nowMs: () => number;
  /** Marks the decision in the event's trace; answers the place the next service goes on from. */
  readonly traced: (
    event: SourceEvent,
    decision: string,
    traceparent: string | null,
  ) => Promise<string | null>;
}
