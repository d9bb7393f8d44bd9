export { startService, type RunningService, type ServiceOptions } from './start-service.js';
export { runMain } from './run-main.js';
export { exitCodes, requirePart, StartFault } from './start-fault.js';
export { HEALTH_CHECKS, HealthController, type HealthCheck } from './health.controller.js';
export { MetricsController } from './metrics.controller.js';
export { closing, stopTaking } from './shutdown-hooks.js';
