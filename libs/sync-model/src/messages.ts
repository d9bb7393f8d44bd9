import type {
  EntityId,
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
import type { Outcome } from './outcomes.js';

/** What the CRM stored for our write, per field, so that the webhooks it causes are recognised. */
export interface WriteMemory {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
  readonly operationId: OperationId;
  readonly kind: 'written' | 'deleted';
  readonly fields: Readonly<Record<string, Fingerprint>>;
  readonly writtenAtMs: number;
}

/** How a result is known. */
export type EvidenceClass =
  'crm-answer' | 'conflict-answer' | 'readback' | 'ledger' | 'policy' | 'none';

/** Public: one message per settled or parked operation. */
export interface SyncResult {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly entityId: EntityId;
  readonly entityType: RecordType;
  readonly operationId: OperationId;
  /** Grows with every result of the same operation (unknown, later reconciled). */
  readonly operationVersion: number;
  readonly eventKey: EventKey;
  readonly originSourceId: SourceId;
  readonly targetSourceId: SourceId;
  readonly recordType: RecordType;
  readonly externalId: ExternalId | null;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly evidence: EvidenceClass;
  readonly attempts: number;
  readonly occurredAtMs: number;
}

export type EntityChangeKind = 'created' | 'changed' | 'merged' | 'deleted' | 'restored' | 'erased';

/** Public: the clean feed, de-duplicated, echo-free, ordered per entity. */
export interface EntityChange {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly entityId: EntityId;
  readonly entityType: RecordType;
  readonly change: EntityChangeKind;
  /** Grows by one with every change of the entity. */
  readonly version: number;
  /** created, restored: all fields; changed: the changed ones; otherwise empty. */
  readonly fields: Fields;
  readonly mergedInto: EntityId | null;
  readonly originSourceId: SourceId;
  readonly eventKey: EventKey;
  readonly occurredAtMs: number;
}

export type MappingStatus = 'linked' | 'alias' | 'tombstone' | 'converted';
export type MappingOrigin = 'created' | 'adopted' | 'observed';

/** Public, compacted: record → entity. */
export interface MappingMessage {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
  readonly entityId: EntityId;
  readonly entityType: RecordType;
  readonly status: MappingStatus;
  readonly origin: MappingOrigin;
  readonly updatedAtMs: number;
}

/** Internal: an operation whose outcome is unknown, and how a readback can look for it. */
export interface UnknownOperation {
  readonly messageId: string;
  readonly tenantId: TenantId;
  /** The source that was written to. */
  readonly sourceId: SourceId;
  readonly provider: Provider;
  readonly recordType: RecordType;
  readonly entityId: EntityId;
  readonly operationId: OperationId;
  readonly operationVersion: number;
  readonly action: 'create' | 'update';
  /** Known for updates. */
  readonly externalId: ExternalId | null;
  /** Fields sent, canonical: the probe looks for the match keys and the marker. */
  readonly fields: Fields;
  /** Our own key stamped on the record (unique property or marker), or empty. */
  readonly marker: string;
  readonly sentAtMs: number;
  /** No probe proves absence before this moment. */
  readonly settleAtMs: number;
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

/** Parked work with class, owner and pointer; never a bare payload. */
export interface DeadLetter {
  readonly messageId: string;
  readonly tenantId: TenantId;
  readonly caseClass: CaseClass;
  readonly service: string;
  /** Stable code: `avro-truncated`, `field-type`, `budget-exhausted`. */
  readonly code: string;
  /** A sentence without personal data that says what to do. */
  readonly detail: string;
  /** Where the evidence lies: `dedupe:event_conflicts/<key>`, `kafka:<topic>/<partition>/<offset>`. */
  readonly evidenceRef: string;
  readonly occurredAtMs: number;
}

/** A tenant's sync plan as published by `counterpart apply`; null plan removes the tenant. */
export interface RegistryEntry {
  readonly tenantId: TenantId;
  readonly version: number;
  /** Canonical JSON of the validated plan (see sync-plan). */
  readonly planJson: string;
  readonly publishedAtMs: number;
}
