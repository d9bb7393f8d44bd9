export { startCrmSim, type CrmSimOptions, type RunningCrmSim } from './server/crm-sim-server.js';
export { Portal } from './portals/portal.js';
export { portalSpecSchema, type PortalSpec } from './portals/portal-spec.js';
export { systemClock, VirtualClock, type SimClock } from './portals/clock.js';
export type { Behaviour, BehaviourPatch } from './behaviour/behaviour.js';
export type { FaultRule } from './faults/fault-rule.js';
export type { LoggedCall, CallKind } from './calls/call-log.js';
export type { WebhookEvent } from './webhooks/webhook-event.js';
