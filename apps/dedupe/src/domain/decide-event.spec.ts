import { asExternalId, type SourceEvent } from '@counterpart/sync-model';
import { decideEvent } from './decide-event.js';
import { anEvent, Gate, remembering, told } from './testing-events.js';

type Line = Partial<SourceEvent> & { readonly id?: string };
const decisions = (lines: readonly Line[], gate = new Gate()) =>
  lines.map((line, index) => told(gate.take(anEvent({ id: `E${index}`, ...line }))));

const snap = (revision: string | null, value: string): Line => ({
  shape: 'snapshot',
  revision,
  fields: { name: value },
});
const delta = (revision: string | null, fields: SourceEvent['fields']): Line => ({
  revision,
  fields,
});
const app = { provider: 'app' } as const;
const human = { origin: 'others' } as const;

describe('a key seen before', () => {
  const first = anEvent({ fields: { name: 'A' } });
  const seen = (event: SourceEvent, state: 'forwarded' | 'parked' | 'settled') => {
    const gate = new Gate();
    gate.take(first);
    gate.settle(first, state);
    return told(gate.take(event));
  };
  test.each([
    ['settled', first, 'duplicate first-delivery-settled'],
    ['forwarded', first, 'held first-delivery-unsettled'],
    ['parked', first, 'held first-delivery-unsettled'],
    ['settled', anEvent({ fields: { name: 'B' } }), 'conflict event-key-other-payload'],
    ['forwarded', anEvent({ fields: { name: 'B' } }), 'conflict event-key-other-payload'],
    [
      'settled',
      anEvent({ fields: { name: 'A' }, externalId: asExternalId('C2') }),
      'conflict event-key-other-record',
    ],
  ] as const)('%s', (state, event, expected) => {
    const gate = new Gate();
    gate.take(first);
    const entry = [...gate.ledger.values()][0];
    const memory = gate.memoryOf(event);
    const decision = decideEvent({ event, seen: entry && { ...entry, state }, memory });
    expect(told(decision)).toBe(expected);
  });
  test('redelivery of an echo is a duplicate', () =>
    expect(seen(first, 'settled')).toBe('duplicate first-delivery-settled'));
});

describe('order', () => {
  test.each<[string, readonly Line[], readonly string[]]>([
    [
      'snapshots by revision',
      [snap('3', 'c'), snap('2', 'b'), snap('10', 'd')],
      ['forward new', 'stale older-revision', 'forward new'],
    ],
    [
      'one revision, one content',
      [snap('3', 'c'), { ...snap('3', 'c'), kind: 'created' }],
      ['forward new', 'no-op same-content'],
    ],
    [
      'one revision, two contents',
      [snap('3', 'c'), snap('3', 'd')],
      ['forward new', 'conflict same-revision-other-content'],
    ],
    [
      'no revision: arrival',
      [snap(null, 'c'), snap(null, 'b'), snap(null, 'b')],
      ['forward new', 'forward new', 'forward new'],
    ],
    [
      'deltas by field',
      [delta('5', { a: '1' }), delta('4', { b: '1' }), delta('4', { a: '0' })],
      ['forward new', 'forward new', 'stale older-fields'],
    ],
    [
      'an older field is dropped alone',
      [delta('5', { a: '1' }), delta('4', { a: '0', b: '1' })],
      ['forward new', 'forward fields-suppressed'],
    ],
    [
      'a repeated value',
      [delta('5', { a: '1' }), delta('5', { a: '1' })],
      ['forward new', 'no-op same-content'],
    ],
    [
      'one revision, two values: a CRM is read',
      [delta('5', { a: '1' }), delta('5', { a: '2' })],
      ['forward new', 'forward same-revision-read-truth'],
    ],
    [
      'one revision, two values: the app is asked',
      [
        { ...delta('5', { a: '1' }), ...app },
        { ...delta('5', { a: '2' }), ...app },
      ],
      ['forward new', 'conflict same-revision-other-value'],
    ],
    [
      'app deltas without revision: arrival',
      [
        { ...delta(null, { a: '1' }), ...app },
        { ...delta(null, { a: '2' }), ...app },
        { ...delta(null, { a: '1' }), ...app },
      ],
      ['forward new', 'forward new', 'forward new'],
    ],
    [
      'a revision is not forgotten for an event without one',
      [delta('5', { a: '1' }), delta(null, { a: '2' }), delta('4', { a: '0' })],
      ['forward new', 'forward new', 'stale older-fields'],
    ],
    [
      'a full state speaks for fields it does not list',
      [snap('7', 'c'), delta('6', { phone: '1' })],
      ['forward new', 'stale older-fields'],
    ],
    [
      'a newer delta survives an older full state',
      [delta('9', { name: 'x', b: '1' }), snap('7', 'c')],
      ['forward new', 'stale older-fields'],
    ],
    [
      'a hint older than the full state',
      [snap('7', 'c'), { shape: 'hint', revision: '7' }],
      ['forward new', 'stale snapshot-is-newer'],
    ],
    ['an empty creation passes', [{ kind: 'created', ...app }], ['forward new']],
    [
      'relations pass when all fields are old',
      [
        delta('5', { a: '1' }),
        {
          ...delta('4', { a: '0' }),
          relations: [
            { role: 'company', recordType: 'company', externalId: null, fields: {}, relations: [] },
          ],
        },
      ],
      ['forward new', 'forward fields-suppressed'],
    ],
  ])('%s', (_name, lines, expected) => expect(decisions(lines)).toEqual(expected));

  test('a full state that loses a field goes on as a delta, so that nothing reads as cleared', () => {
    const gate = new Gate();
    gate.take(anEvent({ id: '1', ...delta('9', { a: '9' }) }));
    const decision = gate.take(
      anEvent({ id: '2', shape: 'snapshot', revision: '8', fields: { a: '8', b: '8' } }),
    );
    expect(decision).toMatchObject({
      event: { shape: 'delta', fields: { b: '8' } },
      suppressed: [{ field: 'a', evidence: 'revision:9' }],
    });
  });
});

describe('hints in one batch', () => {
  const hint: Line = { shape: 'hint' };
  test.each<[string, readonly Line[], readonly string[]]>([
    [
      'the first read will see the later change',
      [hint, hint, { ...delta('1', { a: '1' }) }, hint],
      [
        'forward new',
        'superseded covered-by-earlier-hint',
        'forward new',
        'superseded covered-by-earlier-hint',
      ],
    ],
    [
      'a deletion in between',
      [hint, { kind: 'deleted', revision: '1' }, { ...hint, revision: '2' }],
      ['forward new', 'forward deletion', 'forward after-deletion'],
    ],
    ['backfill is read late', [{ ...hint, backfill: true }, hint], ['forward new', 'forward new']],
    [
      'an association is not read with the record',
      [{ ...hint, kind: 'associated' }, hint],
      ['forward new', 'forward new'],
    ],
  ])('%s', (_name, lines, expected) => expect(decisions(lines)).toEqual(expected));
});

describe('deletion', () => {
  const del = (revision: string | null): Line => ({ kind: 'deleted', shape: 'hint', revision });
  test.each<[string, readonly Line[], readonly string[]]>([
    [
      'what is older is stale',
      [
        del('5'),
        delta('4', { a: '1' }),
        delta('5', { a: '1' }),
        snap('3', 'c'),
        { shape: 'hint', revision: '2' },
      ],
      ['forward deletion', ...Array<string>(4).fill('stale before-deletion')],
    ],
    [
      'a newer change goes on, for the writer to decide',
      [del('5'), delta('6', { a: '1' }), del('4')],
      ['forward deletion', 'forward after-deletion', 'no-op already-deleted'],
    ],
    [
      'a newer restore lifts it',
      [del('5'), { kind: 'restored', shape: 'hint', revision: '6' }, delta('7', { a: '1' })],
      ['forward deletion', 'forward revival', 'forward new'],
    ],
    [
      'an older restore does not',
      [del('5'), { kind: 'restored', shape: 'hint', revision: '4' }],
      ['forward deletion', 'stale before-deletion'],
    ],
    [
      'an older deletion after a restore',
      [{ kind: 'restored', shape: 'hint', revision: '6' }, del('5')],
      ['forward new', 'stale before-restore'],
    ],
    [
      'deleted, created again and deleted again',
      [del(null), { kind: 'created', ...delta(null, { a: '1' }) }, del(null)],
      ['forward deletion', 'forward revival', 'forward deletion'],
    ],
    [
      'revival passes when its fields are old news',
      [delta('6', { a: '1' }), del('5'), { kind: 'restored', ...delta('6', { a: '1' }) }],
      ['forward new', 'forward deletion', 'forward revival'],
    ],
    [
      'erased after deleted',
      [del('5'), { ...del('5'), kind: 'erased' }, { ...del('6'), kind: 'erased' }, del('7')],
      ['forward deletion', 'forward deletion', 'no-op already-deleted', 'no-op already-deleted'],
    ],
    [
      'a late deletion by the app',
      [
        { ...app, ...delta('7', { a: '1' }) },
        { ...app, ...del('6') },
      ],
      ['forward new', 'stale older-revision'],
    ],
    [
      'a late deletion at a CRM is for the writer to look at',
      [delta('7', { a: '1' }), del('6')],
      ['forward new', 'forward deletion'],
    ],
    [
      'our own deletion',
      [{ ...del('5'), origin: 'ours' }, delta('4', { a: '1' })],
      ['echo own-deletion', 'stale before-deletion'],
    ],
  ])('%s', (_name, lines, expected) => expect(decisions(lines)).toEqual(expected));

  test('our own deletion, known from memory only; a person deleting after a restore is heard', () => {
    const gate = new Gate(remembering({ '': ['deleted'] }));
    expect(
      decisions(
        [del('5'), { kind: 'restored', shape: 'hint', revision: '6', ...human }, del('7')],
        gate,
      ),
    ).toEqual(['echo own-deletion', 'forward revival', 'forward deletion']);
  });
});

describe('echo', () => {
  const ours = { origin: 'ours' } as const;
  test.each<[string, readonly Line[], readonly string[]]>([
    [
      'the marker, whatever the value',
      [{ ...ours, ...delta('1', { a: 'never written' }) }],
      ['echo own-marker'],
    ],
    [
      'the marker on a creation',
      [{ ...ours, kind: 'created', shape: 'hint' }],
      ['echo own-marker'],
    ],
    ['the marker on a merge', [{ ...ours, kind: 'merged', shape: 'hint' }], ['forward merge']],
    ['another author is believed', [{ ...human, ...delta('1', { a: 'W' }) }], ['forward new']],
    ['unknown author, our value', [delta('1', { a: 'W' })], ['echo own-values']],
    [
      'unknown author, a value we have replaced since: an echo or a way back, so it is read',
      [delta('1', { a: 'V' })],
      ['forward own-earlier-value-read-truth'],
    ],
    [
      'what came before the value that was read is stale, our newest included',
      [delta('3', { a: 'V' }), delta('2', { a: 'W' })],
      ['forward own-earlier-value-read-truth', 'stale older-fields'],
    ],
    ['unknown author, another value', [delta('1', { a: 'X' })], ['forward new']],
    ['a readback once', [{ kind: 'readback', ...delta(null, { a: 'W' }) }], ['forward readback']],
    [
      'an edit before our write, heard after its echo',
      [
        { ...ours, ...delta('5', { a: 'W' }) },
        { ...human, ...delta('4', { a: 'X' }) },
      ],
      ['echo own-marker', 'stale older-fields'],
    ],
  ])('%s', (_name, lines, expected) =>
    expect(decisions(lines, new Gate(remembering({ a: ['W', 'V'] })))).toEqual(expected),
  );

  test('per field: an edit that rides with our echo gets through alone', () => {
    const gate = new Gate(remembering({ a: ['W'] }));
    const decision = gate.take(anEvent(delta('1', { a: 'W', b: 'human' })));
    expect(decision).toMatchObject({
      kind: 'forward',
      event: { fields: { b: 'human' } },
      suppressed: [{ field: 'a', evidence: 'operation:op' }],
    });
  });

  test('an edit back to our value is a real edit; the late echo of our write is not', () => {
    const lines = [delta('10', { a: 'B' }), delta('11', { a: 'W' }), delta('9', { a: 'W' })];
    const gate = new Gate(remembering({ a: ['W'], b: ['W'] }));
    expect(decisions(lines, gate)).toEqual(['forward new', 'forward new', 'stale older-fields']);
    expect(Object.keys(gate.memoryOf(anEvent()).written)).toEqual(['b']);
  });

  test.each<[string, Line]>([
    ['a hint', { shape: 'hint' }],
    ['a merge', { kind: 'merged', shape: 'hint' }],
    ['a restore', { kind: 'restored', shape: 'hint' }],
  ])('after %s any field may have changed: nothing is suppressed on old memory', (_name, line) => {
    const gate = new Gate(remembering({ a: ['W'] }));
    const tail = decisions([{ ...line, revision: '5' }, delta('6', { a: 'W' })], gate)[1];
    expect(tail).toBe('forward new');
  });

  test('two values under one revision: afterwards no memory of the record is trusted', () => {
    const gate = new Gate(remembering({ a: ['W'] }));
    const lines = [delta('5', { a: 'X' }), delta('5', { a: 'Y' }), delta('6', { a: 'W' })];
    expect(decisions(lines, gate)[2]).toBe('forward new');
  });
});

test('a field called __proto__ is a field like any other', () => {
  const fields = JSON.parse('{"__proto__":"x"}') as SourceEvent['fields'];
  const gate = new Gate();
  expect(told(gate.take(anEvent({ id: '1', revision: '2', fields })))).toBe('forward new');
  expect(told(gate.take(anEvent({ id: '2', revision: '1', fields })))).toBe('stale older-fields');
});
