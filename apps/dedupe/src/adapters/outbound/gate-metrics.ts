import { metrics } from '@counterpart/platform-telemetry';
import type { Decision } from '../../domain/decision.js';

const decided = metrics.counter('dedupe_decisions_total', 'Events by what the gate decided.', [
  'outcome',
  'reason',
]);

/** Counts decisions after their commit; a batch that comes again is counted again. */
export const countDecisions = (decisions: readonly Decision[]): void =>
  decisions.forEach(({ kind, reason }) => decided.add({ outcome: kind, reason }));
