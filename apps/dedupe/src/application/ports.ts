import type {
  DeadLetter,
  SourceEvent,
  SyncOperation,
  SyncResult,
  WriteMemory,
} from '@counterpart/sync-model';
import type { Decision } from '../domain/decision.js';
import type { LedgerEntry, RecordMemory } from '../domain/record-memory.js';
import type { GateChanges } from '../domain/run-gate.js';

/** A message that was read, with the trace it belongs to. */
export interface Arrived<T> {
  readonly value: T;
  readonly traceparent: string | null;
}

/** What the gate must know before it decides a batch. Keys: `eventRefKey`, `recordKey`. */
export interface GateMemory {
  readonly seen: ReadonlyMap<string, LedgerEntry>;
  readonly memories: ReadonlyMap<string, RecordMemory>;
}

/** Messages that leave together with what is saved, each in its own trace. */
export interface Outgoing {
  readonly operations: readonly Arrived<SyncOperation>[];
  readonly deadLetters: readonly Arrived<DeadLetter>[];
}

/** What a batch leaves behind. */
export interface GateOutput {
  readonly changes: GateChanges;
  readonly outgoing: Outgoing;
}

/** The gate's memory. Every method is one transaction, whatever the number of its items. */
export interface GateStore {
  /**
   * Locks the events' records, loads what is known, lets `decide` work on it and saves the result
   * together with the messages. `decide` runs again when another consumer was first; the answer is
   * that of the run that was saved.
   */
  decide(
    events: readonly SourceEvent[],
    decide: (memory: GateMemory) => GateOutput,
  ): Promise<GateOutput>;
  /** Remembers what the CRM stored for our writes, where it is still worth remembering. */
  remember(reports: readonly WriteMemory[], parked: readonly Arrived<DeadLetter>[]): Promise<void>;
  /** Lays results over the ledger entries of the events that led to them. */
  settle(results: readonly SyncResult[], parked: readonly Arrived<DeadLetter>[]): Promise<void>;
}

/** The decisions of one batch as marks in the traces of their events. */
export interface DecisionMarks {
  /** Per event, the place the next service goes on from. */
  readonly traceparents: readonly (string | null)[];
  /** Ends the marks; without decisions when the batch was not kept. */
  end(decisions: readonly Decision[]): void;
}

export interface GatePorts {
  readonly store: GateStore;
  readonly nowMs: () => number;
  readonly mark: (arrived: readonly Arrived<SourceEvent>[]) => DecisionMarks;
  /** Counts what was decided and kept. */
  readonly counted: (decisions: readonly Decision[]) => void;
}
