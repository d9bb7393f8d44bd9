import type {
  EntityId,
  EventKey,
  ExternalId,
  Fields,
  OperationId,
  RecordType,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';
import type { Outgoing } from './outgoing.js';
import type { Mapping } from './work.js';

/** An operation as the ledger holds it. */
export interface Operation {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly action: 'create' | 'update';
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly entityId: EntityId;
  readonly externalId: ExternalId | null;
  readonly eventKey: EventKey;
  readonly originSourceId: SourceId;
  readonly fields: Fields;
  readonly attempts: number;
  readonly version: number;
  readonly state:
    | 'planned'
    | 'attempting'
    | 'confirmed'
    | 'refused'
    | 'deferred'
    | 'unknown'
    | 'held'
    /** Not under way, and another is meant by now. */
    | 'superseded';
  readonly traceparent: string | null;
}

/** How one claimed write ended, to be committed under its token. */
export interface Settlement {
  readonly token: string;
  readonly operation: Operation;
  readonly claimKey: string;
  /** Of the entity the write was planned from; null when that does not matter any more. */
  readonly entityVersion: number | null;
  /** False keeps the claim in `sending`: the outcome is unknown. */
  readonly release: boolean;
  readonly state: Operation['state'];
  readonly outcome: string | null;
  readonly reason: string;
  readonly mapping: Mapping | null;
  readonly messages: readonly Outgoing[];
  /** Told instead when `mapping` names a record that belongs to another entity. */
  readonly ifTaken: readonly Outgoing[];
}
