import { isLive, type CrmRecord } from '../objects/record.js';

/** A record as search saw it last. */
export interface Snapshot {
  readonly id: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface Pending {
  readonly visibleAtMs: number;
  readonly version: number;
  readonly record: CrmRecord;
  /** Null: the record disappears from search. */
  readonly snapshot: Snapshot | null;
}

/**
 * What search knows of one object type: the past. A create, an update and a merge are seen only
 * after the lag that was in force when they happened. Archiving is seen at once, because the real
 * API never returns archived records from search.
 */
export class SearchIndex {
  private pending: Pending[] = [];
  private readonly shown = new Map<
    string,
    { version: number; record: CrmRecord; snapshot: Snapshot | null }
  >();
  private version = 0;
  /** Nothing pending is due before this. */
  private nextDueMs = Infinity;

  /** Notes the record's present state, to be seen `lagMs` from now. */
  note(record: CrmRecord, nowMs: number, lagMs: number): void {
    this.settle(nowMs);
    this.nextDueMs = Math.min(this.nextDueMs, nowMs + lagMs);
    this.pending.push({
      visibleAtMs: nowMs + lagMs,
      version: ++this.version,
      record,
      snapshot: isLive(record) ? snapshotOf(record) : null,
    });
  }

  /** Everything search can see now, in the order of the ids. */
  visible(nowMs: number): Snapshot[] {
    this.settle(nowMs);
    return [...this.shown.values()]
      .filter((entry) => entry.record.archivedAtMs === null && !entry.record.erased)
      .flatMap((entry) => (entry.snapshot ? [entry.snapshot] : []))
      .sort((a, b) => Number(a.id) - Number(b.id));
  }

  private settle(nowMs: number): void {
    if (nowMs < this.nextDueMs) return;
    const due = this.pending.filter((entry) => entry.visibleAtMs <= nowMs);
    this.pending = this.pending.filter((entry) => entry.visibleAtMs > nowMs);
    this.nextDueMs = this.pending.reduce(
      (min, entry) => Math.min(min, entry.visibleAtMs),
      Infinity,
    );
    for (const entry of due) {
      const known = this.shown.get(entry.record.id);
      // The lag may have been shortened in between: an older state never replaces a newer one.
      if (!known || known.version < entry.version) this.shown.set(entry.record.id, entry);
    }
  }
}

const snapshotOf = (record: CrmRecord): Snapshot => ({
  id: record.id,
  properties: record.properties,
  createdAtMs: record.createdAtMs,
  updatedAtMs: record.updatedAtMs,
});
