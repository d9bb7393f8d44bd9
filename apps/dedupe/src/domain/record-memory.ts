import type { EventKey, Fingerprint, OperationId, Outcome } from '@counterpart/sync-model';

/** What the ledger knows of an event key that was seen before. */
export interface LedgerEntry {
  readonly fingerprint: Fingerprint;
  /** The record the key was first used for: one key for two records is a conflict, too. */
  readonly recordKey: string;
  /**
   * `forwarded`: handed over, nothing heard yet. `parked`: somebody owns the next step.
   * `settled`: nothing more will happen. A presence alone would lose the event whose first
   * handling died half-way; a state tells the two apart.
   */
  readonly state: 'forwarded' | 'parked' | 'settled';
  readonly outcome: Outcome | null;
}

/** The newest statement about one field that was let through or recognised as our own. */
export interface FieldHead {
  readonly revision: string | null;
  readonly fingerprint: Fingerprint;
  /** When the last edit that was not ours reached our door; null when there was none. */
  readonly editedAtMs: number | null;
}

/** How far a record's history is known. */
export interface RecordHead {
  /** The newest full state. */
  readonly snapshot: { readonly revision: string | null; readonly fingerprint: Fingerprint } | null;
  readonly fields: Readonly<Record<string, FieldHead>>;
  /** Set by a deletion, lifted by a later creation or restore. */
  readonly tombstone: {
    readonly revision: string | null;
    readonly kind: 'deleted' | 'erased';
  } | null;
  /** Revision of the last creation or restore. */
  readonly lifeRevision: string | null;
  /** When something unnamed changed (hint, merge, deletion, restore): older write memory is void. */
  readonly editedAtMs: number | null;
}

/** One value the CRM stored for a write of ours. */
export interface RememberedWrite {
  readonly fingerprint: Fingerprint;
  readonly operationId: OperationId;
  readonly writtenAtMs: number;
}

/** Everything the gate knows about one record of one source. */
export interface RecordMemory {
  readonly head: RecordHead;
  /** Per field, newest first. The empty field name stands for a deletion of ours. */
  readonly written: Readonly<Record<string, readonly RememberedWrite[]>>;
  /** A hint let through in this batch: it has not left yet, so its read will see later changes. */
  readonly openHint: EventKey | null;
}

/** Name under which a deletion by us is kept in write memory. No canonical field is called so. */
export const deletionField = '';

export const emptyHead: RecordHead = {
  snapshot: null,
  fields: {},
  tombstone: null,
  lifeRevision: null,
  editedAtMs: null,
};
export const emptyMemory: RecordMemory = { head: emptyHead, written: {}, openHint: null };
