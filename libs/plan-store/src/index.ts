export { createPlanStore, type PlanStore, type VersionedPlan } from './plan-store.js';
export { keepRegistry } from './keep-registry.js';
