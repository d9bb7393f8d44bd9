import { compareRevision, type SourceEvent } from '@counterpart/sync-model';
import type { Decision } from './decision.js';
import { deletionField, type RecordHead, type RecordMemory } from './record-memory.js';

/**
 * A deletion or an erasure. An erasure after a deletion passes: providers send both, in either
 * order, and the stronger one must not be lost.
 */
export const decideDeletion = (event: SourceEvent, memory: RecordMemory): Decision => {
  if (event.origin === 'ours') {
    return { kind: 'echo', reason: 'own-deletion', evidence: event.originDetail, fields: [] };
  }
  const { tombstone, lifeRevision } = memory.head;
  if (compareRevision(event.revision, lifeRevision) === -1) {
    return { kind: 'stale', reason: 'before-restore', evidence: `revision:${lifeRevision}` };
  }
  // The app numbers its own changes, so a lower number is a late arrival. A CRM's clock stamps what
  // runs after a deletion (automations, roll-ups) as well; there the writer looks before it acts.
  if (event.provider === 'app' && isOlderThanContent(event, memory.head)) {
    return { kind: 'stale', reason: 'older-revision', evidence: 'revision:of-a-later-change' };
  }
  if (tombstone !== null && (event.kind === 'deleted' || tombstone.kind === 'erased')) {
    const evidence = `revision:${tombstone.revision}`;
    return { kind: 'no-op', reason: 'already-deleted', evidence };
  }
  const own = event.origin === 'unknown' ? memory.written[deletionField]?.[0] : undefined;
  if (own !== undefined) {
    const evidence = `operation:${own.operationId}`;
    return { kind: 'echo', reason: 'own-deletion', evidence, fields: [] };
  }
  return { kind: 'forward', reason: 'deletion', event, suppressed: [], fields: [] };
};

const isOlderThanContent = (event: SourceEvent, head: RecordHead): boolean =>
  [head.snapshot, ...Object.values(head.fields)].some(
    (known) => compareRevision(event.revision, known?.revision) === -1,
  );
