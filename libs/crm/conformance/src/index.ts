export { describeCrmConformance } from './describe-crm-conformance.js';
export { samplePlan } from './world.js';
export type {
  AdapterOptions,
  CallKind,
  ConformancePortal,
  ConformanceWorld,
  Human,
  PortalBehaviour,
  PortalFault,
  PortalOptions,
  StoredRecord,
} from './world.js';
