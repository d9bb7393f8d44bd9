/**
 * One list drives types, SQL check constraints, metric labels, docs and operator actions.
 * Settled: nothing more will happen. Unsettled: someone or something owns the next step.
 */
export const settledOutcomes = [
  'applied',
  'reconciled',
  'no-op',
  'duplicate',
  'stale',
  'echo',
  'superseded',
] as const;
export const unsettledOutcomes = [
  'conflict',
  'held',
  'quarantined',
  'unknown',
  'needs-review',
] as const;
export const outcomes = [...settledOutcomes, ...unsettledOutcomes] as const;

export type SettledOutcome = (typeof settledOutcomes)[number];
export type UnsettledOutcome = (typeof unsettledOutcomes)[number];
export type Outcome = (typeof outcomes)[number];

const settled: ReadonlySet<string> = new Set(settledOutcomes);
export const isSettled = (outcome: Outcome): outcome is SettledOutcome => settled.has(outcome);
