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
export { hash128 } from './hash.js';
export type { CanonicalValue } from './canonical-text.js';
export { canonicalText } from './canonical-text.js';
export type { EventPayload } from './fingerprints.js';
export { fingerprintOfValue, fingerprintOfEvent, fingerprintOfContent } from './fingerprints.js';
export type { OperationParts } from './keys.js';
export {
  eventKeyOf,
  operationIdOf,
  recordKey,
  parseRecordKey,
  entityKey,
  matchKeyHash,
  matchValueOf,
} from './keys.js';
export { compareRevision } from './revision.js';
export type { RetryBudget, DelayQuestion, NextDelay } from './next-delay.js';
export { nextDelay } from './next-delay.js';
export type { FieldFault, FieldFaultCode, NormaliseResult } from './normalise.js';
export { normaliseValue, normaliseFields } from './normalise.js';
export type { FieldOwner } from './merge-values.js';
export type { FieldDecision, MergeQuestion, MergeRule } from './decide-merge.js';
export { decideMerge, writesOf } from './decide-merge.js';
export type { InboundDecision, InboundQuestion, InboundRefusal } from './decide-inbound.js';
export { decideInbound } from './decide-inbound.js';
