export { parseScenario } from './format/parse-scenario.js';
export type { ParsedScenario, ScenarioFault } from './format/parse-scenario.js';
export type { JsonObject } from './format/json.js';
export type { Scenario } from './format/scenario.js';
export { faultLine, loadScenarios } from './adapters/load-scenarios.js';
export type { LoadedScenario, LoadFault } from './adapters/load-scenarios.js';
export { openBus } from './adapters/kafka-bus.js';
export { NoStack, readStackEnv } from './adapters/stack-env.js';
export { createStackControl } from './adapters/stack-control.js';
export { verdictTable } from './domain/verdict.js';
export type { CheckRow } from './domain/verdict.js';
export { runAll } from './application/run-all.js';
export type { RunOptions } from './application/run-all.js';
export type { ScenarioResult } from './application/run-scenario.js';
export type {
  Bus,
  Integration,
  IntegrationFactory,
  StackControl,
  StackEnv,
} from './application/ports.js';
