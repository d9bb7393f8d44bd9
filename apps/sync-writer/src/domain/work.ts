import type {
  EntityId,
  EventKey,
  ExternalId,
  Fields,
  Fingerprint,
  MappingOrigin,
  MappingStatus,
  RecordType,
  SourceId,
  SyncOperation,
  TenantId,
} from '@counterpart/sync-model';

/** The head of a lane that this worker owns until its lease ends. */
export interface WorkItem {
  readonly tenantId: TenantId;
  readonly laneId: string;
  /** Fence: the lane is only settled by the owner of this epoch. */
  readonly epoch: string;
  readonly seq: string;
  /** Tries at this head so far that ended in a deferral which counts. */
  readonly attempts: number;
  readonly firstFailedAtMs: number | null;
  readonly operation: SyncOperation;
  readonly traceparent: string | null;
}

export type EntityStatus = 'live' | 'merged' | 'deleted' | 'erased';

/** Who last set a field of an entity. A `mention` is hearsay: it fills blanks, never overwrites. */
export interface Provenance {
  readonly atMs: number;
  readonly sourceId: SourceId;
  readonly standing: 'main' | 'mention';
}

export interface Entity {
  readonly entityId: EntityId;
  readonly entityType: RecordType;
  readonly status: EntityStatus;
  readonly mergedInto: EntityId | null;
  readonly version: number;
  readonly fields: Fields;
  readonly provenance: Readonly<Record<string, Provenance>>;
}

/**
 * Per field: the fingerprint of what we meant and of what the source stored. They differ where the
 * source cut or re-formatted the value; comparing with `meant` ends the rewriting after one write,
 * comparing with `stored` recognises the source's own statement of it.
 */
export type Base = Readonly<Record<string, FieldBase>>;

export interface FieldBase {
  readonly meant: Fingerprint;
  readonly stored: Fingerprint;
  /** By when our last write of it was done; what the source says of an earlier moment is history. */
  readonly writtenAtMs?: number;
  /** Both sides changed it and a person decides: nothing is written until the source says another. */
  readonly contested?: true;
}

export interface Mapping {
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
  readonly entityId: EntityId;
  readonly status: MappingStatus;
  readonly origin: MappingOrigin;
  readonly base: Base;
  readonly versionToken: string | null;
  /** At most one live record of an entity at this source; so it is at a CRM, not at the app. */
  readonly exclusive: boolean;
}

/** One entity that has to exist at one target, with what is to be written if anything is. */
export interface Need {
  readonly tenantId: TenantId;
  readonly target: SourceId;
  readonly recordType: RecordType;
  readonly entityId: EntityId;
  /** The event that asks; the first of a batch when several do. */
  readonly eventKey: EventKey;
  readonly originSourceId: SourceId;
  /** True when the need is the event's own record, not one it merely mentions. */
  readonly main: boolean;
  readonly traceparent: string | null;
}

/** Identity of a need within one tenant: what a claim is taken on. */
export const needKey = (need: Pick<Need, 'target' | 'recordType' | 'entityId'>): string =>
  `${need.target}\u001f${need.recordType}\u001f${need.entityId}`;

/** How a need ended in this pass. */
export type NeedOutcome =
  /** The record is there; `operation` when this pass wrote it. */
  | {
      readonly kind: 'linked';
      readonly externalId: ExternalId;
      readonly wrote: 'applied' | 'reconciled' | null;
      readonly again: boolean;
    }
  /** Somebody or something else goes first. `claimKey` wakes the lane when that claim is settled. */
  | { readonly kind: 'wait'; readonly claimKey: string; readonly untilMs: number }
  /** Try again; `counts` when the attempt is charged to the budget. */
  | {
      readonly kind: 'defer';
      readonly retryAtMs: number | null;
      readonly counts: boolean;
      readonly reason: string;
    }
  /** Not written, and nothing will be: the record was deleted there. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** Refused for good or ambiguous: parked with a case. */
  | {
      readonly kind: 'parked';
      readonly outcome: 'quarantined' | 'needs-review';
      readonly reason: string;
    };
