/**
 * What a decision teaches about its record. The decisions of one batch are taken in order and
 * each sees what the ones before it taught, as if every event had been alone in its transaction.
 */
import { compareRevision, fingerprintOfContent, type SourceEvent } from '@counterpart/sync-model';
import type { Decision, FieldVerdict } from './decision.js';
import type { FieldHead, RecordHead, RecordMemory } from './record-memory.js';

/** The record's memory after the decision; the same object when it taught nothing. */
export const learn = (
  memory: RecordMemory,
  event: SourceEvent,
  decision: Decision,
): RecordMemory => {
  switch (decision.kind) {
    case 'forward':
      return learnPassed(
        memory,
        event,
        decision.event.shape === 'hint' && event.shape !== 'hint',
        decision.fields,
      );
    case 'echo':
      return learnEcho(memory, event, decision.fields);
    case 'duplicate':
    case 'held':
    case 'conflict':
    case 'stale':
    case 'no-op':
    case 'superseded':
      return memory;
    default:
      return decision satisfies never;
  }
};

const learnPassed = (
  memory: RecordMemory,
  event: SourceEvent,
  isReadInstead: boolean,
  verdicts: readonly FieldVerdict[],
): RecordMemory => {
  if (event.kind === 'readback') return memory;
  if (event.kind === 'deleted' || event.kind === 'erased') return buried(memory, event, event.kind);
  const isHint = event.shape === 'hint' && event.kind !== 'associated';
  const isRead = isReadInstead || isHint;
  const isUnnamed = isReadInstead || changesUnnamedFields(memory, event, isHint);
  const edited = verdicts.filter(({ verdict }) => verdict === 'real');
  return {
    head: {
      ...headAfter(memory.head, event, verdicts, event.receivedAtMs),
      editedAtMs: isUnnamed ? event.receivedAtMs : memory.head.editedAtMs,
    },
    written: isUnnamed ? {} : withoutFields(memory.written, edited),
    // Backfill is read late, after live work; a live hint must not wait behind it.
    openHint: isRead && !event.backfill ? event.eventKey : memory.openHint,
  };
};

/** A change that names no field may have changed any of them: nothing written before is sure. */
const changesUnnamedFields = (
  memory: RecordMemory,
  event: SourceEvent,
  isHint: boolean,
): boolean => {
  if (event.kind === 'merged' || event.kind === 'restored') return true;
  if (event.kind === 'created') return memory.head.tombstone !== null;
  return isHint;
};

/** An echo proves how far the source is, so that what is older than our write is stale. */
const learnEcho = (
  memory: RecordMemory,
  event: SourceEvent,
  verdicts: readonly FieldVerdict[],
): RecordMemory =>
  event.kind === 'deleted' || event.kind === 'erased'
    ? buried(memory, event, event.kind)
    : { ...memory, head: headAfter(memory.head, event, verdicts, null) };

const buried = (
  memory: RecordMemory,
  event: SourceEvent,
  kind: 'deleted' | 'erased',
): RecordMemory => ({
  head: {
    ...memory.head,
    tombstone: { revision: newer(event.revision, memory.head.tombstone?.revision), kind },
    editedAtMs: event.receivedAtMs,
  },
  written: {},
  openHint: null,
});

const headAfter = (
  head: RecordHead,
  event: SourceEvent,
  verdicts: readonly FieldVerdict[],
  editedAtMs: number | null,
): RecordHead => {
  const isRevival = event.kind === 'created' || event.kind === 'restored';
  const isLifted = compareRevision(event.revision, head.tombstone?.revision) !== -1;
  const isNewestState =
    event.shape === 'snapshot' && compareRevision(event.revision, head.snapshot?.revision) !== -1;
  return {
    ...head,
    tombstone: isRevival && isLifted ? null : head.tombstone,
    lifeRevision: isRevival ? newer(event.revision, head.lifeRevision) : head.lifeRevision,
    snapshot: isNewestState
      ? {
          revision: newer(event.revision, head.snapshot?.revision),
          fingerprint: fingerprintOfContent(event),
        }
      : head.snapshot,
    fields: fieldsAfter(head.fields, event, verdicts, editedAtMs),
  };
};

/** Verdicts that say how far a field is; the others are of the past or told nothing. */
const tells: ReadonlySet<FieldVerdict['verdict']> = new Set(['real', 'echo', 'doubtful']);

const fieldsAfter = (
  known: RecordHead['fields'],
  event: SourceEvent,
  verdicts: readonly FieldVerdict[],
  editedAtMs: number | null,
): RecordHead['fields'] => {
  const told = verdicts.filter(({ verdict }) => tells.has(verdict));
  if (told.length === 0) return known;
  const entries = told.map(({ field, fingerprint, verdict }): [string, FieldHead] => [
    field,
    {
      revision: newer(event.revision, known[field]?.revision),
      fingerprint,
      editedAtMs: (verdict === 'real' ? editedAtMs : null) ?? known[field]?.editedAtMs ?? null,
    },
  ]);
  return { ...known, ...Object.fromEntries(entries) };
};

/** The later revision; a revision is never forgotten for an event that has none. */
const newer = (a: string | null, b: string | null | undefined): string | null =>
  a === null || compareRevision(a, b) === -1 ? (b ?? null) : a;

const withoutFields = (
  written: RecordMemory['written'],
  edited: readonly FieldVerdict[],
): RecordMemory['written'] => {
  const gone = new Set(edited.map(({ field }) => field));
  const isTouched = Object.keys(written).some((field) => gone.has(field));
  return isTouched
    ? Object.fromEntries(Object.entries(written).filter(([field]) => !gone.has(field)))
    : written;
};
