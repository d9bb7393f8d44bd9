import { asExternalId, asTenantId, isSettled, type Outcome } from '@counterpart/sync-model';
import { anEvent, Gate } from './testing-events.js';

/**
 * The gate's part of the golden trace: twelve status snapshots in arrival order, and the outcome
 * the whole system gives each. What passes here gets its outcome from the CRM, which the third
 * part of each line stands for.
 */
const trace: readonly [string, string, string, number, string, string, Outcome][] = [
  ['A', 'C1', 'E1', 1, 'open', 'forward', 'applied'],
  ['A', 'C1', 'E1', 1, 'open', 'duplicate', 'duplicate'],
  ['A', 'C1', 'E3', 3, 'closed', 'forward', 'applied'],
  ['A', 'C1', 'E2', 2, 'connected', 'stale', 'stale'],
  ['A', 'C1', 'E3', 3, 'open', 'conflict', 'conflict'],
  ['A', 'C1', 'E3b', 3, 'closed', 'no-op', 'no-op'],
  ['B', 'C1', 'E1', 1, 'open', 'forward', 'applied'],
  ['A', 'C1', 'E4', 4, 'closed', 'forward', 'reconciled'],
  ['A', 'C1', 'E5', 5, 'closed', 'forward', 'needs-review'],
  ['A', 'C2', 'E6', 1, 'open', 'forward', 'quarantined'],
  ['A', 'C1', 'E5', 5, 'closed', 'held', 'held'],
  ['A', 'C3', 'E7', 1, 'open', 'forward', 'needs-review'],
];

const eventOf = ([tenant, record, id, revision, state]: (typeof trace)[number]) =>
  anEvent({
    id,
    tenantId: asTenantId(tenant),
    externalId: asExternalId(record),
    shape: 'snapshot',
    revision: String(revision),
    fields: { state },
  });

test('twelve events, twelve decisions', () => {
  const gate = new Gate();
  const decided = trace.map((line) => {
    const event = eventOf(line);
    const decision = gate.take(event);
    if (decision.kind === 'forward') gate.settle(event, isSettled(line[6]) ? 'settled' : 'parked');
    return decision.kind;
  });
  expect(decided).toEqual(trace.map((line) => line[5]));
});

test('what the gate itself decides is the outcome of the whole system', () => {
  const ofGate = trace.filter((line) => line[5] !== 'forward');
  expect(ofGate.map((line) => line[5])).toEqual(ofGate.map((line) => line[6]));
});
