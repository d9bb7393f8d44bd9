export type {
  AppSourcePlan,
  CrmSourcePlan,
  FieldOwner,
  FieldPlan,
  PlanFault,
  QuotaPlan,
  RecordMapPlan,
  RecordPlan,
  SecretRef,
  SourcePlan,
  SyncPlan,
  WebhookPlan,
} from './plan.js';
export type { PlanPermissions } from './check-plan.js';
export { parseSyncPlan } from './parse-plan.js';
export type { PlanResult } from './parse-plan.js';
export { planOfJson } from './plan-json.js';
export type { PlanJsonResult } from './plan-json.js';
export {
  fieldTypeOf,
  ownerOf,
  recordMapsOf,
  recordPlanOf,
  sourcePlanOf,
  targetsOf,
} from './lookups.js';
export { planSlices, ingestSlice, dedupeSlice, outboundSlice } from './slices.js';
export type {
  DedupeSlice,
  FieldTypes,
  IngestSlice,
  OutboundSource,
  PlanSlices,
  ReconcilerSlice,
  WriterSlice,
} from './slices.js';
export { connectionOf, type ConnectionPorts } from './connection.js';
export type { ConnectionResult, SecretLookup } from './connection.js';
export { planJsonSchema } from './json-schema.js';
