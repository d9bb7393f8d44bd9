import { asExternalId, asTenantId, fingerprintOfValue, recordKey } from '@counterpart/sync-model';
import { eventRefKey, runGate } from './run-gate.js';
import { anEvent, remembering, told } from './testing-events.js';

const nothing = { seen: new Map(), memories: new Map() };
const run = (...events: readonly ReturnType<typeof anEvent>[]) => runGate(events, nothing, 7);

test('a forwarded event waits for its result; a finding is settled by being handed on', () => {
  const finding = anEvent({ id: 'F', kind: 'readback' });
  const { ledger, operations } = run(anEvent({ fields: { a: 1 } }), finding);
  expect(ledger.map(({ state, outcome, reason }) => [state, outcome, reason])).toEqual([
    ['forwarded', null, 'new'],
    ['settled', 'applied', 'readback'],
  ]);
  expect(operations.map(({ index }) => index)).toEqual([0, 1]);
  expect(operations[0]?.operation.gate).toEqual({
    reason: 'new',
    suppressed: [],
    decidedAtMs: 7,
  });
});

test('two contents under one revision are parked and told of, at the place of the second', () => {
  const at = (id: string, a: number) =>
    anEvent({ id, revision: '5', shape: 'snapshot', fields: { a } });
  const { ledger, conflicts, deadLetters, operations } = run(at('one', 1), at('two', 2));
  expect(ledger.map(({ state }) => state)).toEqual(['forwarded', 'parked']);
  expect(conflicts).toMatchObject([{ reason: 'same-revision-other-content' }]);
  expect(deadLetters).toMatchObject([
    { index: 1, letter: { caseClass: 'conflict', code: 'same-revision-other-content' } },
  ]);
  expect(operations).toHaveLength(1);
});

test('a key that was seen keeps the row of its first delivery', () => {
  const event = anEvent({ fields: { a: 1 } });
  const { ledger, decisions } = run(event, event, anEvent({ fields: { a: 2 } }));
  expect(ledger).toHaveLength(1);
  expect(decisions.map(told)).toEqual([
    'forward new',
    'held first-delivery-unsettled',
    'conflict event-key-other-payload',
  ]);
});

test('records, and tenants with the same ids, do not see each other', () => {
  const old = { revision: '1', fields: { a: 1 } };
  const { decisions } = run(
    anEvent({ revision: '9', fields: { a: 9 } }),
    anEvent({ ...old, id: 'E2', externalId: asExternalId('C2') }),
    anEvent({ ...old, tenantId: asTenantId('globex') }),
  );
  expect(decisions.map(told)).toEqual(['forward new', 'forward new', 'forward new']);
});

test('only records that something was learnt of are to be saved, with what they were before', () => {
  const known = remembering({ a: ['W'], b: ['W'] });
  const edited = anEvent({ fields: { a: 'human' } });
  const other = anEvent({ id: 'D', externalId: asExternalId('C2'), fields: { a: 1 } });
  const changes = runGate(
    [edited, other],
    {
      seen: new Map([
        [
          eventRefKey(other),
          {
            fingerprint: other.fingerprint,
            recordKey: recordKey(other),
            state: 'settled' as const,
            outcome: 'applied' as const,
          },
        ],
      ]),
      memories: new Map([[recordKey(edited), known]]),
    },
    7,
  );
  expect(changes.decisions.map(told)).toEqual(['forward new', 'duplicate first-delivery-settled']);
  expect(changes.memories).toHaveLength(1);
  expect(changes.memories[0]?.before).toBe(known);
  expect(Object.keys(changes.memories[0]?.after.written ?? {})).toEqual(['b']);
  expect(changes.memories[0]?.after.head.fields['a']?.fingerprint).toBe(
    fingerprintOfValue('human'),
  );
});
