import { compareRevision, fingerprintOfContent, type SourceEvent } from '@counterpart/sync-model';
import type { Decision } from './decision.js';
import type { RecordMemory } from './record-memory.js';

/**
 * A full state against the newest full state of its record. Undefined: it is newer, or the two
 * cannot be compared (arrival order then counts), and its fields decide.
 */
export const decideSnapshot = (event: SourceEvent, memory: RecordMemory): Decision | undefined => {
  const known = memory.head.snapshot;
  const order = compareRevision(event.revision, known?.revision);
  const evidence = `revision:${known?.revision}`;
  if (order === -1) return { kind: 'stale', reason: 'older-revision', evidence };
  if (order !== 0) return undefined;
  return fingerprintOfContent(event) === known?.fingerprint
    ? { kind: 'no-op', reason: 'same-content', evidence }
    : { kind: 'conflict', reason: 'same-revision-other-content' };
};
