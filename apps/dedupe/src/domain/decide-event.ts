/**
 * The gate: is this event new, in order, and not our own echo?
 *
 * Asked in this order, each question once:
 *   1. Was this event key seen before?              duplicate, held, conflict
 *   2. Is it a kind that always passes?             readback, merge
 *   3. Did we cause it, by the provider's marker?   echo
 *   4. Is it older than the record's deletion, restore or full state?   stale, no-op, conflict
 *   5. Per field: older, repeated, contradicted, our own value, or a real change?
 *
 * What passes is forwarded without the fields that did not. Nothing here waits, reads a clock or
 * draws a number: the same event and memory always give the same decision.
 */
import { compareRevision, recordKey, type SourceEvent } from '@counterpart/sync-model';
import { decideByFields } from './decide-by-fields.js';
import { decideDeletion } from './decide-deletion.js';
import type { Decision } from './decision.js';
import { fieldVerdicts } from './field-verdicts.js';
import { decideSnapshot } from './decide-snapshot.js';
import type { LedgerEntry, RecordMemory } from './record-memory.js';

export interface GateQuestion {
  readonly event: SourceEvent;
  /** The ledger's entry for this event key, if it was seen before. */
  readonly seen: LedgerEntry | undefined;
  readonly memory: RecordMemory;
}

/** The gate's decision on one event. */
export const decideEvent = ({ event, seen, memory }: GateQuestion): Decision => {
  if (seen !== undefined) return decideSeen(event, seen);
  switch (event.kind) {
    case 'readback':
      return forwardWhole(event, 'readback');
    case 'merged':
      return forwardWhole(event, 'merge');
    case 'deleted':
    case 'erased':
      return decideDeletion(event, memory);
    case 'created':
    case 'changed':
    case 'restored':
    case 'associated':
      return decideChange(event, memory);
    default:
      return event.kind satisfies never;
  }
};

const forwardWhole = (event: SourceEvent, reason: 'readback' | 'merge'): Decision => ({
  kind: 'forward',
  reason,
  event,
  suppressed: [],
  fields: [],
});

const decideSeen = (event: SourceEvent, seen: LedgerEntry): Decision => {
  if (seen.recordKey !== recordKey(event)) {
    return { kind: 'conflict', reason: 'event-key-other-record' };
  }
  if (seen.fingerprint !== event.fingerprint) {
    return { kind: 'conflict', reason: 'event-key-other-payload' };
  }
  return seen.state === 'settled'
    ? { kind: 'duplicate', reason: 'first-delivery-settled' }
    : { kind: 'held', reason: 'first-delivery-unsettled' };
};

const decideChange = (event: SourceEvent, memory: RecordMemory): Decision => {
  if (event.origin === 'ours') {
    const fields = fieldVerdicts(event, memory);
    return { kind: 'echo', reason: 'own-marker', evidence: event.originDetail, fields };
  }
  const deadSince = memory.head.tombstone?.revision;
  const order = compareRevision(event.revision, deadSince);
  if (order === -1 || order === 0) {
    return { kind: 'stale', reason: 'before-deletion', evidence: `revision:${deadSince}` };
  }
  switch (event.shape) {
    case 'hint':
      return decideHint(event, memory);
    case 'snapshot':
      return decideSnapshot(event, memory) ?? decideByFields(event, memory);
    case 'delta':
      return decideByFields(event, memory);
    default:
      return event.shape satisfies never;
  }
};

/** A hint carries nothing, so only its need can be questioned: who has read later need not read. */
const decideHint = (event: SourceEvent, memory: RecordMemory): Decision => {
  const isPlainChange = event.kind === 'changed';
  const full = memory.head.snapshot?.revision;
  if (isPlainChange && (compareRevision(event.revision, full) ?? 1) < 1) {
    return { kind: 'stale', reason: 'snapshot-is-newer', evidence: `revision:${full}` };
  }
  if (isPlainChange && memory.openHint !== null) {
    const evidence = `event:${memory.openHint}`;
    return { kind: 'superseded', reason: 'covered-by-earlier-hint', evidence };
  }
  return decideByFields(event, memory);
};
