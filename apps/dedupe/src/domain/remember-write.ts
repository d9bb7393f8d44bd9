import type { Fingerprint, WriteMemory } from '@counterpart/sync-model';
import { deletionField, type RecordHead } from './record-memory.js';

/** At most this many values a field are remembered; echoes of older writes are stale anyway. */
export const rememberedMax = 8;

/** One value to remember under a field name; `deletionField` for a deletion. */
export interface WriteToRemember {
  readonly field: string;
  readonly fingerprint: Fingerprint;
}

/**
 * What of the writer's report is still worth remembering. The report travels on another topic than
 * the webhooks, so it may come after a later edit by a person; remembered then, it would take that
 * person's edit back to our value for an echo. Both times are of our own machines: when the writer
 * wrote, and when the edit reached our door. Wrongly forgotten costs one comparison in the writer,
 * wrongly remembered costs an edit, so a tie is forgotten.
 */
export const writesToRemember = (
  head: RecordHead,
  report: WriteMemory,
  deletionMark: Fingerprint,
): readonly WriteToRemember[] => {
  const isLater = (editedAtMs: number | null | undefined) =>
    report.writtenAtMs > (editedAtMs ?? Number.NEGATIVE_INFINITY);
  if (!isLater(head.editedAtMs)) return [];
  if (report.kind === 'deleted') return [{ field: deletionField, fingerprint: deletionMark }];
  return Object.entries(report.fields)
    .filter(([field]) => isLater(head.fields[field]?.editedAtMs))
    .map(([field, fingerprint]) => ({ field, fingerprint }));
};
