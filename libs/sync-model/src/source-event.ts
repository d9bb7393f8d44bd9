import type {
  EventKey,
  ExternalId,
  Fingerprint,
  OperationId,
  Provider,
  RecordType,
  SourceId,
  TenantId,
} from './ids.js';
import type { Fields } from './fields.js';

/** `snapshot`: full state. `delta`: partial change. `hint`: something changed, go and read. */
export type Shape = 'snapshot' | 'delta' | 'hint';

export type ChangeKind =
  'created' | 'changed' | 'deleted' | 'restored' | 'merged' | 'erased' | 'associated' | 'readback';

/** Whose write caused the event, as far as the provider's exact marker tells. */
export type Origin = 'ours' | 'others' | 'unknown';

/** Another record that an event names: an attendee of a meeting, the company of a contact. */
export interface Relation {
  readonly role: string;
  readonly recordType: RecordType;
  /** The source's id of that record, when it gave one. */
  readonly externalId: ExternalId | null;
  readonly fields: Fields;
  readonly relations: readonly Relation[];
}

/** A merge as the source tells it: every loser becomes an alias of the survivor. */
export interface MergeStatement {
  readonly survivorId: ExternalId;
  readonly loserIds: readonly ExternalId[];
}

/** What a readback of one operation found, see the reconciler. */
export interface ReadbackFinding {
  readonly operationId: OperationId;
  /** The statement it answers: a finding about an earlier attempt says nothing of a later one. */
  readonly operationVersion: number;
  readonly verdict: 'found' | 'absent' | 'ambiguous';
  readonly externalId: ExternalId | null;
  readonly stored: Fields;
}

/** A verified, normalised statement that something changed at a source. */
export interface SourceEvent {
  readonly eventKey: EventKey;
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly provider: Provider;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
  readonly kind: ChangeKind;
  readonly shape: Shape;
  /** Canonical names and canonical values; empty for a hint. */
  readonly fields: Fields;
  readonly relations: readonly Relation[];
  /** The source's own comparable version, decimal digits; null where it has none. */
  readonly revision: string | null;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  readonly origin: Origin;
  /** The marker as seen, for evidence: `INTEGRATION:456`, `CRM_UI:userId:7`. */
  readonly originDetail: string;
  /** Of kind, shape, fields, relations and revision. */
  readonly fingerprint: Fingerprint;
  readonly merge: MergeStatement | null;
  readonly readback: ReadbackFinding | null;
  /** True for polling and first-sync findings, which go after live traffic. */
  readonly backfill: boolean;
}

/** An event that passed the gate, with the gate's evidence. */
export interface SyncOperation {
  readonly event: SourceEvent;
  readonly gate: {
    readonly reason: string;
    /** Fields taken out because they only repeat what we wrote. */
    readonly suppressed: readonly { readonly field: string; readonly evidence: string }[];
    readonly decidedAtMs: number;
  };
}
