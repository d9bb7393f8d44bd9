import {
  asFingerprint,
  asOperationId,
  fingerprintOfValue,
  outcomes,
  type Outcome,
  type WriteMemory,
} from '@counterpart/sync-model';
import * as fc from 'fast-check';
import { writesToRemember } from './remember-write.js';
import { settlementOf, withResult, type OperationResults } from './settle-entry.js';
import { anEvent, Gate } from './testing-events.js';

const mark = asFingerprint('deletion');
const report = (writtenAtMs: number, kind: WriteMemory['kind'] = 'written'): WriteMemory => ({
  ...anEvent(),
  operationId: asOperationId('op'),
  kind,
  fields: { a: fingerprintOfValue('W'), b: fingerprintOfValue('W') },
  writtenAtMs,
});
const fieldsKept = (gate: Gate, written: WriteMemory) =>
  writesToRemember(gate.memoryOf(anEvent()).head, written, mark).map(({ field }) => field);

describe('a report of the writer that comes late', () => {
  const gate = new Gate();
  gate.take(anEvent({ fields: { a: 'human' }, receivedAtMs: 1000 }));
  test.each([
    [999, ['b']],
    [1000, ['b']],
    [1001, ['a', 'b']],
  ])('written at %d, edited at 1000', (writtenAtMs, kept) =>
    expect(fieldsKept(gate, report(writtenAtMs))).toEqual(kept),
  );

  test('after an unnamed change nothing older is kept, deletions included', () => {
    const hinted = new Gate();
    hinted.take(anEvent({ shape: 'hint', receivedAtMs: 1000 }));
    expect(fieldsKept(hinted, report(999))).toEqual([]);
    expect(fieldsKept(hinted, report(999, 'deleted'))).toEqual([]);
    expect(fieldsKept(hinted, report(1001, 'deleted'))).toEqual(['']);
  });

  test('an echo of ours is no edit', () => {
    const echoed = new Gate();
    echoed.take(anEvent({ fields: { a: 'W' }, origin: 'ours', receivedAtMs: 1000 }));
    expect(fieldsKept(echoed, report(999))).toEqual(['a', 'b']);
  });
});

describe('settling', () => {
  const result = (outcome: Outcome, version = 1) => ({ version, outcome, reason: outcome });
  const fold = (...list: readonly [string, Outcome, number?][]) =>
    settlementOf(
      list.reduce<OperationResults>(
        (known, [id, outcome, version]) =>
          withResult(known, asOperationId(id), result(outcome, version)),
        {},
      ),
    );
  test.each<[string, ReturnType<typeof fold>, string]>([
    ['one applied', fold(['o1', 'applied']), 'settled applied'],
    [
      'the worst unsettled wins',
      fold(['o1', 'applied'], ['o2', 'unknown'], ['o3', 'needs-review']),
      'parked needs-review',
    ],
    ['settled later', fold(['o1', 'unknown', 1], ['o1', 'reconciled', 2]), 'settled reconciled'],
    [
      'an older version says nothing',
      fold(['o1', 'reconciled', 2], ['o1', 'unknown', 1]),
      'settled reconciled',
    ],
    [
      'what happened before what did not',
      fold(['o1', 'no-op'], ['o2', 'applied']),
      'settled applied',
    ],
  ])('%s', (_name, actual, expected) =>
    expect(`${actual?.state} ${actual?.outcome}`).toBe(expected),
  );
  test('nothing heard, nothing settled', () => expect(settlementOf({})).toBeUndefined());
  test('the order in which results arrive does not matter', () => {
    const one = fc.tuple(fc.constantFrom('o1', 'o2'), fc.constantFrom(...outcomes), fc.nat(3));
    const unique = fc.uniqueArray(one, { selector: ([id, , version]) => `${id}${version}` });
    fc.assert(
      fc.property(unique, (list) => {
        expect(fold(...list.toReversed())?.state).toBe(fold(...list)?.state);
      }),
    );
  });
});
