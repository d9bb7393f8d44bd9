import {
  fingerprintOfValue,
  type Fingerprint,
  type InboundDecision,
} from '@counterpart/sync-model';
import { crm, entity, event } from '../testing/builders.js';
import { isBehind, observedBase, saidAtMs, stillTrue, type Heard } from './observed-base.js';
import type { FieldBase } from './work.js';

const print = fingerprintOfValue;
const seen = (value: string): FieldBase => ({ meant: print(value), stored: print(value) });
const wrote = (value: string, writtenAtMs: number): FieldBase => ({ ...seen(value), writtenAtMs });
const unknown = '' as Fingerprint;

const told = (occurredAtMs: number): Heard => ({
  event: event({ sourceId: crm, occurredAtMs }),
  readAtMs: null,
  stated: null,
});
const read = (readAtMs: number, stated: Heard['stated'] = {}): Heard => ({
  ...told(5),
  readAtMs,
  stated,
});
const tookOver: InboundDecision = { apply: {}, rejected: [], restore: {} };
const lost: InboundDecision = {
  apply: {},
  rejected: [{ field: 'phone', reason: 'older-change' }],
  restore: { phone: '2' },
};
const refused = (
  reason: 'not-owner' | 'unchanged-at-source' | 'needs-review',
): InboundDecision => ({
  apply: {},
  rejected: [{ field: 'phone', reason }],
  restore: {},
});

/** The source says phone 3; the entity says `ours` once that was decided. */
test.each<[string, FieldBase | undefined, Heard, string, InboundDecision, FieldBase, boolean]>([
  ['taken over', seen('1'), told(10), '3', tookOver, seen('3'), false],
  ['lost against a later change: written back', seen('1'), told(10), '2', lost, seen('3'), true],
  [
    'of a field another side owns: left there',
    seen('2'),
    told(10),
    '2',
    refused('not-owner'),
    { meant: print('2'), stored: print('3') },
    false,
  ],
  [
    'what we wrote, again',
    wrote('3', 20),
    told(10),
    '2',
    refused('unchanged-at-source'),
    wrote('3', 20),
    true,
  ],
  [
    'from before our write was done: nothing is known, it is written once more',
    wrote('2', 20),
    told(19),
    '3',
    tookOver,
    { meant: unknown, stored: unknown, writtenAtMs: 20 },
    true,
  ],
  ['from after our write', wrote('2', 20), told(20), '3', tookOver, seen('3'), false],
  [
    'against a change of ours, for a person to decide',
    seen('1'),
    told(10),
    '2',
    refused('needs-review'),
    { meant: print('2'), stored: print('3'), contested: true },
    false,
  ],
  [
    'what we say, so nobody has to decide any more',
    { ...seen('1'), contested: true },
    told(10),
    '3',
    tookOver,
    seen('3'),
    false,
  ],
])('a value %s', (_what, known, heard, ours, decision, expected, behind) => {
  const person = entity({ fields: { phone: ours } });
  const before = known === undefined ? {} : { phone: known };
  const base = observedBase(before, { phone: '3' }, heard, person, decision);
  expect(base).toEqual({ phone: expected });
  expect(isBehind(person, { phone: '3' }, base)).toBe(behind);
});

test.each([
  ['read before our write was done says nothing', wrote('2', 20), read(19), []],
  ['read after it is what is there', wrote('2', 20), read(20), ['phone']],
  ['told is judged by its own time', wrote('2', 20), told(19), ['phone']],
])('what was %s', (_what, known, heard, fields) => {
  expect(Object.keys(stillTrue({ phone: '3' }, { phone: known }, heard))).toEqual(fields);
});

test.each([
  ['told', wrote('2', 20), told(5), 5],
  ['only read came about after our write', wrote('2', 20), read(30), 20],
  ['only read, never written by us, is as old as what made us read', seen('2'), read(30), 5],
  ['read and told alike has the time of the telling', wrote('2', 20), read(30, { phone: '3' }), 5],
])('a value that was %s', (_what, known, heard, atMs) => {
  expect(saidAtMs('phone', '3', known, heard)).toBe(atMs);
});
