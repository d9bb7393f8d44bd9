import {
  compareRevision,
  fingerprintOfValue,
  type Fingerprint,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { FieldVerdict } from './decision.js';
import type { RecordHead, RecordMemory } from './record-memory.js';

/**
 * One verdict per field of an event, never one per record: an edit by a person that rides with our
 * own echo gets through alone.
 *
 * Age is asked first, then origin. That order is what makes an edit back to an old value safe: we
 * write A, a person edits B (which clears our memory of A) and then A again. The second A is newer
 * than B and is remembered by nobody, so it passes; a late echo of our own A is older than B and
 * is dropped by its revision.
 *
 * Where we wrote A and then B, another A may be a late echo of the first write or a person going
 * back, and no memory of ours can tell which. Only the newest write explains a value for sure: if
 * it was a person after all, both sides hold that value anyway.
 */
export const fieldVerdicts = (event: SourceEvent, memory: RecordMemory): readonly FieldVerdict[] =>
  Object.entries(event.fields).map(([field, value]) => {
    const fingerprint = fingerprintOfValue(value);
    return { field, fingerprint, ...judge(event, memory, field, fingerprint) };
  });

const judge = (
  event: SourceEvent,
  memory: RecordMemory,
  field: string,
  fingerprint: Fingerprint,
): Pick<FieldVerdict, 'verdict' | 'evidence'> => {
  const known = knownRevision(memory.head, field);
  const order = compareRevision(event.revision, known);
  if (order === -1) return { verdict: 'older', evidence: `revision:${known}` };
  const head = memory.head.fields[field];
  // Only a value heard under this very revision can be repeated or contradicted.
  if (order === 0 && compareRevision(event.revision, head?.revision) === 0) {
    const verdict = head?.fingerprint === fingerprint ? 'repeat' : 'clash';
    return { verdict, evidence: `revision:${known}` };
  }
  return ownWrite(event, memory, field, fingerprint) ?? { verdict: 'real', evidence: '' };
};

/** A full state speaks for every field, also for those it does not list. */
const knownRevision = (head: RecordHead, field: string): string | null => {
  const ofField = head.fields[field]?.revision ?? null;
  const ofSnapshot = head.snapshot?.revision ?? null;
  if (ofField === null) return ofSnapshot;
  return compareRevision(ofSnapshot, ofField) === 1 ? ofSnapshot : ofField;
};

/** A provider that names another author is believed: the same value may be a person's choice. */
const ownWrite = (
  event: SourceEvent,
  memory: RecordMemory,
  field: string,
  fingerprint: Fingerprint,
): Pick<FieldVerdict, 'verdict' | 'evidence'> | undefined => {
  if (event.origin !== 'unknown' || !Object.hasOwn(memory.written, field)) return undefined;
  const writes = memory.written[field] ?? [];
  const own = writes.find((write) => write.fingerprint === fingerprint);
  if (own === undefined) return undefined;
  const isNewest = writes.every((write) => write.writtenAtMs <= own.writtenAtMs);
  return {
    verdict: isNewest ? 'echo' : 'doubtful',
    evidence: `operation:${own.operationId}`,
  };
};
