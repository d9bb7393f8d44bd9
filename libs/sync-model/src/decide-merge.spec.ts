import * as fc from 'fast-check';
import { decideInbound, type InboundQuestion } from './decide-inbound.js';
import { decideMerge, writesOf, type MergeQuestion } from './decide-merge.js';
import { fingerprintOfValue } from './fingerprints.js';
import type { FieldValue } from './fields.js';
import { asSourceId } from './ids.js';

const crm = asSourceId('crm');
const app = asSourceId('app');
const types = { name: { type: 'text' }, phone: { type: 'phone', country: 'US' } } as const;
const based = (value: FieldValue) => ({ name: fingerprintOfValue(value) });

const merge = (parts: Partial<MergeQuestion> & { owner?: string }) =>
  decideMerge({
    base: {},
    theirs: {},
    ours: {},
    owners: { name: parts.owner ?? 'last-change' },
    types,
    targetSourceId: crm,
    ...parts,
  }).map(({ kind, rule, reason }) => `${kind} ${rule} ${reason}`)[0];

describe('our entity → a target', () => {
  test.each<[string, Partial<MergeQuestion> & { owner?: string }, string | undefined]>([
    ['absence says nothing', { ours: {}, theirs: { name: 'B' } }, undefined],
    [
      'a new record takes ours whoever owns',
      { owner: 'crm', theirs: null, ours: { name: 'A' } },
      'write initial new-record',
    ],
    [
      'nothing to clear on a new record',
      { theirs: null, ours: { name: null } },
      'no-op equal nothing-to-clear',
    ],
    ['equal', { ours: { name: 'A' }, theirs: { name: 'A' } }, 'no-op equal same-value'],
    [
      'equal after normalisation',
      { ours: { name: 'Zo\u00eb' }, theirs: { name: 'Zoe\u0308' } },
      'no-op equal same-value',
    ],
    ['already empty', { ours: { name: null } }, 'no-op equal nothing-to-clear'],
    [
      'the target owns it',
      { owner: 'crm', ours: { name: 'A' }, theirs: { name: 'B' } },
      'keep owner target-owns',
    ],
    [
      'the target owns its clear, too',
      { owner: 'crm', ours: { name: 'A' }, theirs: { name: null } },
      'keep owner target-owns',
    ],
    [
      'another side owns it',
      { owner: 'app', base: based('A'), ours: { name: 'A' }, theirs: { name: 'B' } },
      'write owner owner-wins',
    ],
    [
      'an owner may clear',
      { owner: 'app', ours: { name: null }, theirs: { name: 'B' } },
      'write owner owner-wins',
    ],
    [
      'only ours changed',
      { base: based('O'), ours: { name: 'A' }, theirs: { name: 'O' } },
      'write last-change only-ours-changed',
    ],
    [
      'only theirs changed',
      { base: based('O'), ours: { name: 'O' }, theirs: { name: 'B' } },
      'keep last-change only-theirs-changed',
    ],
    [
      'their change has not been heard',
      { base: based('O'), ours: { name: 'A' }, theirs: { name: 'B' } },
      'keep last-change theirs-unheard',
    ],
    [
      'ours is later',
      {
        base: based('O'),
        ours: { name: 'A' },
        theirs: { name: 'B' },
        oursChangedAtMs: { name: 2 },
        theirsChangedAtMs: { name: 1 },
      },
      'write last-change ours-is-later',
    ],
    [
      'theirs is later',
      {
        base: based('O'),
        ours: { name: 'A' },
        theirs: { name: 'B' },
        oursChangedAtMs: { name: 1 },
        theirsChangedAtMs: { name: 2 },
      },
      'keep last-change theirs-is-later',
    ],
    [
      'first meeting of two records',
      { ours: { name: 'A' }, theirs: { name: 'B' } },
      'write last-change ours-is-later',
    ],
    [
      'review: only ours changed',
      { owner: 'review', base: based('O'), ours: { name: 'A' }, theirs: { name: 'O' } },
      'write review only-ours-changed',
    ],
    [
      'review: both changed',
      { owner: 'review', base: based('O'), ours: { name: 'A' }, theirs: { name: 'B' } },
      'review review both-changed',
    ],
    [
      'no owner declared is review',
      { owners: {}, ours: { name: 'A' }, theirs: { name: 'B' } },
      'review review both-changed',
    ],
  ])('%s', (_name, parts, expected) => expect(merge(parts)).toBe(expected));

  test('a write carries the value, what it replaces, and whether it clears', () => {
    const decisions = decideMerge({
      base: {},
      theirs: { name: 'B', phone: '+14155550100' },
      ours: { name: null, phone: '415 555 0199' },
      owners: { name: 'app', phone: 'app' },
      types,
      targetSourceId: crm,
    });
    expect(decisions[0]).toMatchObject({ value: null, before: 'B', isClear: true });
    expect(writesOf(decisions)).toEqual({ name: null, phone: '+14155550199' });
  });
});

const inbound = (parts: Partial<InboundQuestion> & { owner?: string }) =>
  decideInbound({
    entity: {},
    base: {},
    incoming: {},
    owners: { name: parts.owner ?? 'last-change' },
    types,
    originSourceId: crm,
    ...parts,
  });

describe("a source's change → our entity", () => {
  const both = { entity: { name: 'A' }, incoming: { name: 'B' } };
  test.each<[string, Partial<InboundQuestion> & { owner?: string }, object]>([
    ['its owner says so', { owner: 'crm', ...both }, { apply: { name: 'B' } }],
    [
      'an owner clears',
      { owner: 'crm', ...both, incoming: { name: null } },
      { apply: { name: null } },
    ],
    ['equal', { owner: 'app', entity: { name: 'A' }, incoming: { name: 'A' } }, {}],
    ['not the owner', { owner: 'app', ...both }, { rejected: 'not-owner' }],
    [
      'not the owner, written back',
      { owner: 'app', ...both, restoreOwned: true },
      { rejected: 'not-owner', restore: { name: 'A' } },
    ],
    ['never had it', { owner: 'app', incoming: { name: 'B' } }, { apply: { name: 'B' } }],
    [
      'the source did not change it',
      { ...both, base: based('B') },
      { rejected: 'unchanged-at-source' },
    ],
    ['edited there and back', { ...both, base: based('C') }, { apply: { name: 'B' } }],
    ['last change without times', both, { apply: { name: 'B' } }],
    [
      'later',
      { ...both, incomingAtMs: { name: 2 }, entityChangedAtMs: { name: 1 } },
      { apply: { name: 'B' } },
    ],
    [
      'earlier',
      { ...both, incomingAtMs: { name: 1 }, entityChangedAtMs: { name: 2 } },
      { rejected: 'older-change', restore: { name: 'A' } },
    ],
    [
      'review, only theirs changed',
      { owner: 'review', ...both, base: based('A') },
      { apply: { name: 'B' } },
    ],
    [
      'review, only theirs changed after they had cut ours',
      { owner: 'review', ...both, base: based('A!'), meant: based('A') },
      { apply: { name: 'B' } },
    ],
    [
      'review, moving on from a value of its own',
      { owner: 'review', ...both, entityChangedBy: { name: crm } },
      { apply: { name: 'B' } },
    ],
    [
      'review, over the value of another',
      { owner: 'review', ...both, entityChangedBy: { name: app } },
      { rejected: 'needs-review' },
    ],
    [
      'review, both changed',
      { owner: 'review', ...both, base: based('O') },
      { rejected: 'needs-review' },
    ],
  ])('%s', (_name, parts, expected) => {
    const { apply = {}, rejected, restore = {} } = expected as Record<string, never>;
    expect(inbound(parts)).toEqual({
      apply,
      rejected: rejected ? [{ field: 'name', reason: rejected }] : [],
      restore,
    });
  });
});

const value = fc.option(fc.constantFrom('O', 'A', 'B'), { nil: null });

test('a side that does not own a field never overwrites it', () => {
  fc.assert(
    fc.property(value, value, fc.option(value, { nil: undefined }), (ours, theirs, base) => {
      const known = base === undefined ? {} : based(base);
      const toTarget = {
        owner: 'crm',
        base: known,
        ours: { name: ours },
        theirs: { name: theirs },
      };
      expect(merge(toTarget)).not.toMatch(/^write/);
      const fromSource = {
        owner: app,
        base: known,
        entity: { name: ours },
        incoming: { name: theirs },
      };
      expect(inbound(fromSource).apply).toEqual({});
    }),
  );
});

test('both directions name the same winner of two concurrent changes, ties included', () => {
  const at = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(at, at, (oursAtMs, theirsAtMs) => {
      const writes = merge({
        base: based('O'),
        ours: { name: 'A' },
        theirs: { name: 'B' },
        oursChangedAtMs: { name: oursAtMs },
        theirsChangedAtMs: { name: theirsAtMs },
      });
      const takes = inbound({
        base: based('O'),
        entity: { name: 'A' },
        incoming: { name: 'B' },
        incomingAtMs: { name: theirsAtMs },
        entityChangedAtMs: { name: oursAtMs },
      });
      expect('name' in takes.apply).toBe(!writes?.startsWith('write'));
    }),
  );
});
