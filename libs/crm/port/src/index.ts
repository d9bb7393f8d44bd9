export type {
  CallBudget,
  CallScope,
  Connection,
  ConnectionTiming,
  RecordMap,
} from './connection.js';
export type { WriteResult, CreateItem, UpdateItem, AssociateItem } from './writes.js';
export type { FoundRecord, FindResult, ProbeResult, ReadResult, ProbeItem } from './reads.js';
export type {
  CreatePath,
  RecordCapabilities,
  CrmAdapter,
  CrmAdapterFactory,
  CrmPorts,
} from './adapter.js';
export type {
  CrmInbound,
  InboundRequest,
  InboundSource,
  InstancePlace,
  VerifyVerdict,
  RawChange,
  DecodeResult,
} from './inbound.js';
export type { HttpAnswer, HttpOutcome, HttpRequest, HttpSend } from './http.js';
export { judgeProbe, type ProbeVerdict, type UncertainWrite } from './judge-probe.js';
export { findingOfProbe, isProof, type Proof } from './finding-of-probe.js';
