export type {
  Branded,
  TenantId,
  SourceId,
  EntityId,
  ExternalId,
  OperationId,
  EventKey,
  Fingerprint,
  RecordType,
  Provider,
  RecordRef,
} from './ids.js';
export {
  asTenantId,
  asSourceId,
  asEntityId,
  asExternalId,
  asOperationId,
  asEventKey,
  asFingerprint,
} from './ids.js';
export type { FieldValue, Fields, FieldType } from './fields.js';
export type {
  Shape,
  ChangeKind,
  Origin,
  Relation,
  MergeStatement,
  ReadbackFinding,
  SourceEvent,
  SyncOperation,
} from './source-event.js';
export type { Outcome, SettledOutcome, UnsettledOutcome } from './outcomes.js';
export { outcomes, settledOutcomes, unsettledOutcomes, isSettled } from './outcomes.js';
export type {
  WriteMemory,
  EvidenceClass,
  SyncResult,
  EntityChange,
  EntityChangeKind,
  MappingMessage,
  MappingStatus,
  MappingOrigin,
  UnknownOperation,
  CaseClass,
  DeadLetter,
  RegistryEntry,
} from './messages.js';
export type { Clock, Random } from './ports.js';
