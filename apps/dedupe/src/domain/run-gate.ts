import {
  hash128,
  isSettled,
  recordKey,
  type DeadLetter,
  type EventKey,
  type Outcome,
  type RecordRef,
  type SourceEvent,
  type SourceId,
  type SyncOperation,
  type TenantId,
} from '@counterpart/sync-model';
import { decideEvent } from './decide-event.js';
import type { Decision, SuppressedField } from './decision.js';
import { learn } from './learn.js';
import { emptyMemory, type LedgerEntry, type RecordMemory } from './record-memory.js';

/** One row of the ledger to be written; only for events that were not seen before. */
export interface LedgerRow {
  readonly event: SourceEvent;
  readonly state: LedgerEntry['state'];
  readonly outcome: Outcome | null;
  readonly reason: string;
  readonly evidence: string;
  /** Fields that were taken out of an event that went on. */
  readonly suppressed: readonly SuppressedField[];
}

export interface ConflictRow {
  readonly event: SourceEvent;
  readonly reason: string;
}

/** What a record's memory became, and what it was. */
export interface MemoryChange {
  readonly record: RecordRef;
  readonly before: RecordMemory;
  readonly after: RecordMemory;
}

/** What a batch of decisions leaves behind; `index` is the place of the event in its batch. */
export interface GateChanges {
  readonly ledger: readonly LedgerRow[];
  readonly conflicts: readonly ConflictRow[];
  readonly memories: readonly MemoryChange[];
  readonly operations: readonly { readonly operation: SyncOperation; readonly index: number }[];
  readonly deadLetters: readonly { readonly letter: DeadLetter; readonly index: number }[];
  /** One for each event, in their order. */
  readonly decisions: readonly Decision[];
}

/** Identity of an event within all tenants, as text. */
export const eventRefKey = (ref: {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly eventKey: EventKey;
}): string => `${ref.tenantId}\u001f${ref.sourceId}\u001f${ref.eventKey}`;

/** Decides a batch in order, every event seeing what the ones before it taught. */
export const runGate = (
  events: readonly SourceEvent[],
  known: {
    readonly seen: ReadonlyMap<string, LedgerEntry>;
    readonly memories: ReadonlyMap<string, RecordMemory>;
  },
  nowMs: number,
): GateChanges => {
  const seen = new Map(known.seen);
  const memories = new Map<string, MemoryChange>();
  const changes = {
    ledger: [] as LedgerRow[],
    conflicts: [] as ConflictRow[],
    operations: [] as { operation: SyncOperation; index: number }[],
    deadLetters: [] as { letter: DeadLetter; index: number }[],
  };
  const decisions = events.map((event, index) => {
    const key = recordKey(event);
    const before = known.memories.get(key) ?? emptyMemory;
    const memory = memories.get(key)?.after ?? before;
    const earlier = seen.get(eventRefKey(event));
    const decision = decideEvent({ event, seen: earlier, memory });
    const after = learn(memory, event, decision);
    if (after !== memory) memories.set(key, { record: recordOf(event), before, after });
    const row = ledgerRow(event, decision, earlier);
    if (row !== undefined) {
      changes.ledger.push(row);
      seen.set(eventRefKey(event), {
        fingerprint: event.fingerprint,
        recordKey: key,
        state: row.state,
        outcome: row.outcome,
      });
    }
    if (decision.kind === 'conflict') {
      changes.conflicts.push({ event, reason: decision.reason });
      changes.deadLetters.push({ index, letter: conflictLetter(event, decision.reason, nowMs) });
    }
    if (decision.kind === 'forward')
      changes.operations.push({
        index,
        operation: {
          event: decision.event,
          gate: { reason: decision.reason, suppressed: decision.suppressed, decidedAtMs: nowMs },
        },
      });
    return decision;
  });
  return { ...changes, memories: [...memories.values()], decisions };
};

const recordOf = ({ tenantId, sourceId, recordType, externalId }: SourceEvent): RecordRef => ({
  tenantId,
  sourceId,
  recordType,
  externalId,
});

/** A key that was seen keeps the row of its first delivery. */
const ledgerRow = (
  event: SourceEvent,
  decision: Decision,
  earlier: LedgerEntry | undefined,
): LedgerRow | undefined => {
  if (earlier !== undefined) return undefined;
  const { reason } = decision;
  if (decision.kind === 'forward') {
    const { suppressed } = decision;
    // A finding's effect is told by the operation it speaks of; nobody reports on the finding itself.
    return reason === 'readback'
      ? { event, state: 'settled', outcome: 'applied', reason, evidence: '', suppressed }
      : { event, state: 'forwarded', outcome: null, reason, evidence: '', suppressed };
  }
  const evidence = 'evidence' in decision ? decision.evidence : '';
  const state = isSettled(decision.kind) ? 'settled' : 'parked';
  return { event, state, outcome: decision.kind, reason, evidence, suppressed: [] };
};

const conflictLetter = (event: SourceEvent, reason: string, nowMs: number): DeadLetter => ({
  messageId: hash128(`conflict|${eventRefKey(event)}|${event.fingerprint}`),
  tenantId: event.tenantId,
  caseClass: 'conflict',
  service: 'dedupe',
  code: reason,
  detail: 'Two different statements under one identity: see which one is true at the source.',
  evidenceRef: `dedupe:event_conflicts/${event.sourceId}/${event.eventKey}`,
  occurredAtMs: nowMs,
});
