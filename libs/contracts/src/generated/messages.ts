// Made from schemas/*.avsc by codegen/generate-cli.ts. Do not edit; run:
//   npx tsc --build libs/contracts && node libs/contracts/dist/codegen/generate-cli.js
import type {
  EntityId,
  EventKey,
  ExternalId,
  Fingerprint,
  OperationId,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';

/** A tenant's sync plan; a message without a value removes the tenant. */
export interface RegistryEntry {
  readonly tenantId: TenantId;
  readonly version: number;
  /** Canonical JSON of the validated plan. */
  readonly planJson: string;
  /** Milliseconds since the epoch. */
  readonly publishedAtMs: number;
}

/** A verified, normalised statement that something changed at a source. */
export interface SourceEvent {
  /** What makes the event the same when it is delivered again. */
  readonly eventKey: EventKey;
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly provider: string;
  readonly recordType: string;
  readonly externalId: ExternalId;
  readonly kind: ChangeKind;
  /** Full state, partial change, or only the news that something changed. */
  readonly shape: Shape;
  /** Canonical names and values. A key that is missing says nothing; null says cleared. */
  readonly fields: Readonly<Record<string, null | boolean | number | string>>;
  readonly relations: readonly Relation[];
  /** The source's own comparable version, decimal digits. */
  readonly revision: null | string;
  /** Milliseconds since the epoch. */
  readonly occurredAtMs: number;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Whose write caused the event, as far as the provider's exact marker tells. */
  readonly origin: Origin;
  /** The marker as seen, for evidence. */
  readonly originDetail: string;
  /** Of kind, shape, fields, relations and revision. */
  readonly fingerprint: Fingerprint;
  readonly merge: null | MergeStatement;
  readonly readback: null | ReadbackFinding;
  /** True for polling and first-sync findings, which go after live traffic. */
  readonly backfill: boolean;
}

export type ChangeKind =
  'created' | 'changed' | 'deleted' | 'restored' | 'merged' | 'erased' | 'associated' | 'readback';

export type Shape = 'snapshot' | 'delta' | 'hint';

/** Another record that an event names: an attendee of a meeting, the company of a contact. */
export interface Relation {
  readonly role: string;
  readonly recordType: string;
  /** The source's id of that record, when it gave one. */
  readonly externalId: null | ExternalId;
  readonly fields: Readonly<Record<string, null | boolean | number | string>>;
  readonly relations: readonly Relation[];
}

export type Origin = 'ours' | 'others' | 'unknown';

/** A merge as the source tells it: every loser becomes an alias of the survivor. */
export interface MergeStatement {
  readonly survivorId: ExternalId;
  readonly loserIds: readonly ExternalId[];
}

/** What a readback of one operation found. */
export interface ReadbackFinding {
  readonly operationId: OperationId;
  /** The statement it answers: a finding about an earlier attempt says nothing of a later one. */
  readonly operationVersion: number;
  readonly verdict: ReadbackVerdict;
  readonly externalId: null | ExternalId;
  readonly stored: Readonly<Record<string, null | boolean | number | string>>;
}

export type ReadbackVerdict = 'found' | 'absent' | 'ambiguous';

/** An event that passed the gate, with the gate's evidence. */
export interface SyncOperation {
  readonly event: SourceEvent;
  readonly gate: GateEvidence;
}

/** Why the gate let the event pass. */
export interface GateEvidence {
  readonly reason: string;
  readonly suppressed: readonly SuppressedField[];
  /** Milliseconds since the epoch. */
  readonly decidedAtMs: number;
}

/** A field taken out because it only repeats what we wrote. */
export interface SuppressedField {
  readonly field: string;
  readonly evidence: string;
}

/** What the CRM stored for our write, per field, so that the webhooks it causes are recognised. */
export interface WriteMemory {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordType: string;
  readonly externalId: ExternalId;
  readonly operationId: OperationId;
  readonly kind: WriteKind;
  /** Fingerprint of each stored value. */
  readonly fields: Readonly<Record<string, Fingerprint>>;
  /** Milliseconds since the epoch. */
  readonly writtenAtMs: number;
}

export type WriteKind = 'written' | 'deleted';

/** One message per settled or parked operation. */
export interface SyncResult {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly entityId: EntityId;
  readonly entityType: string;
  readonly operationId: OperationId;
  /** Grows with every result of the same operation. */
  readonly operationVersion: number;
  readonly eventKey: EventKey;
  readonly originSourceId: SourceId;
  readonly targetSourceId: SourceId;
  readonly recordType: string;
  readonly externalId: null | ExternalId;
  readonly outcome: Outcome;
  readonly reason: string;
  /** How the result is known. */
  readonly evidence: EvidenceClass;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly occurredAtMs: number;
}

export type Outcome =
  | 'applied'
  | 'reconciled'
  | 'no-op'
  | 'duplicate'
  | 'stale'
  | 'echo'
  | 'superseded'
  | 'conflict'
  | 'held'
  | 'quarantined'
  | 'unknown'
  | 'needs-review';

export type EvidenceClass =
  'crm-answer' | 'conflict-answer' | 'readback' | 'ledger' | 'policy' | 'none';

/** The clean feed: de-duplicated, echo-free, ordered per entity. */
export interface EntityChange {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly entityId: EntityId;
  readonly entityType: string;
  readonly change: EntityChangeKind;
  /** Grows by one with every change of the entity. */
  readonly version: number;
  /** created, restored: all fields; changed: the changed ones; otherwise empty. */
  readonly fields: Readonly<Record<string, null | boolean | number | string>>;
  readonly mergedInto: null | EntityId;
  readonly originSourceId: SourceId;
  readonly eventKey: EventKey;
  /** Milliseconds since the epoch. */
  readonly occurredAtMs: number;
}

export type EntityChangeKind = 'created' | 'changed' | 'merged' | 'deleted' | 'restored' | 'erased';

/** Which entity a record at a source belongs to. */
export interface MappingMessage {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordType: string;
  readonly externalId: ExternalId;
  readonly entityId: EntityId;
  readonly entityType: string;
  readonly status: MappingStatus;
  readonly origin: MappingOrigin;
  /** Milliseconds since the epoch. */
  readonly updatedAtMs: number;
}

export type MappingStatus = 'linked' | 'alias' | 'tombstone' | 'converted';

export type MappingOrigin = 'created' | 'adopted' | 'observed';

/** An operation whose outcome is unknown, and how a readback can look for it. */
export interface UnknownOperation {
  readonly messageId: string;
  readonly tenantId: TenantId;
  /** The source that was written to. */
  readonly sourceId: SourceId;
  readonly provider: string;
  readonly recordType: string;
  readonly entityId: EntityId;
  readonly operationId: OperationId;
  readonly operationVersion: number;
  readonly action: UnknownAction;
  /** Known for updates. */
  readonly externalId: null | ExternalId;
  /** Fields sent, canonical. */
  readonly fields: Readonly<Record<string, null | boolean | number | string>>;
  /** Our own key stamped on the record, or empty. */
  readonly marker: string;
  /** Milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** No probe proves absence before this moment, in ms since the epoch. */
  readonly settleAtMs: number;
}

export type UnknownAction = 'create' | 'update';

/** Parked work with class, owner and pointer; never a bare payload. */
export interface DeadLetter {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly caseClass: CaseClass;
  readonly service: string;
  readonly code: string;
  /** A sentence without personal data that says what to do. */
  readonly detail: string;
  /** Where the evidence lies. */
  readonly evidenceRef: string;
  /** Milliseconds since the epoch. */
  readonly occurredAtMs: number;
}

export type CaseClass =
  | 'delivery-failure'
  | 'processing-failure'
  | 'unknown-outcome'
  | 'conflict'
  | 'ambiguity'
  | 'credentials'
  | 'quota'
  | 'policy-stop';
