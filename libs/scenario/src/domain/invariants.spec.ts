import { checkInvariant } from './invariants.js';
import type { InvariantEvidence, PortalEvidence } from './invariants.js';
import type { CrmRecord, SeenOperation } from './evidence.js';

const record = (id: string, email: string, more: Partial<CrmRecord> = {}): CrmRecord => ({
  id,
  properties: { email },
  archived: false,
  createdAtMs: Number(id),
  associations: [],
  ...more,
});
const portal = (
  live: readonly CrmRecord[],
  madeByHand: readonly string[] = [],
): PortalEvidence => ({
  source: 'crm',
  types: [{ type: 'contacts', matchProperties: [{ property: 'email', kind: 'email' }], live }],
  madeByHand: new Set(madeByHand),
  editedByHand: new Set(['55']),
  automated: false,
});
const operation = (more: Partial<SeenOperation>): SeenOperation => ({
  operationId: 'o',
  outcome: 'applied',
  eventKey: 'k',
  recordType: 'contact',
  originSourceId: 'app',
  targetSourceId: 'crm',
  externalId: '1',
  attempts: 1,
  ...more,
});
const nothing: InvariantEvidence = {
  accepted: [],
  decisions: [],
  operations: [],
  portals: [],
  busy: [],
};
const gate = (eventKey: string, outcome: string) => ({
  eventKey,
  outcome,
  sourceId: 'crm',
  recordType: 'contact',
  externalId: '1',
});

test.each<[string, PortalEvidence, boolean]>([
  ['two of ours', portal([record('1', 'a@b.c'), record('2', 'A@b.c ')]), false],
  ['ours after a human', portal([record('1', 'a@b.c'), record('2', 'a@b.c')], ['1']), false],
  ['a human after us', portal([record('1', 'a@b.c'), record('2', 'a@b.c')], ['2']), true],
  ['two of humans', portal([record('1', 'a@b.c'), record('2', 'a@b.c')], ['1', '2']), true],
  ['nobody knows the address', portal([record('1', ''), record('2', '')]), true],
  [
    'a secondary address',
    portal([
      record('1', 'x@b.c', { properties: { email: 'x@b.c', hs_additional_emails: 'q@b.c;a@b.c' } }),
      record('2', 'a@b.c'),
    ]),
    false,
  ],
])('one record per match key: %s', (_, one, ok) => {
  expect(checkInvariant('one-record-per-match-key', { ...nothing, portals: [one] }).ok).toBe(ok);
});

test('an accepted change is found at the gate or among the results, or it is lost', () => {
  const accepted = ['a', 'b', 'c', 'd'].map((eventKey) => ({ changeId: eventKey, eventKey }));
  const evidence = {
    ...nothing,
    accepted,
    decisions: [gate('a', 'stale'), gate('b', 'forwarded')],
    operations: [operation({ eventKey: 'c' })],
  };
  expect(checkInvariant('accepted-is-accounted-for', evidence)).toEqual({
    expected: '0 lost',
    measured: '2: b; d',
    ok: false,
  });
});

test.each<[string, Partial<SeenOperation>, boolean]>([
  ['a write of the app', {}, true],
  ['a write for an event called echo', { eventKey: 'e' }, false],
  ['a write back where it came from', { originSourceId: 'crm' }, false],
  ['a write back to a record a human edited', { originSourceId: 'crm', externalId: '55' }, true],
  ['no write at all', { originSourceId: 'crm', outcome: 'no-op' }, true],
])('echo: %s', (_, more, ok) => {
  const evidence = {
    ...nothing,
    decisions: [gate('e', 'echo')],
    operations: [operation(more)],
    portals: [portal([])],
  };
  expect(checkInvariant('no-write-from-an-echo', evidence).ok).toBe(ok);
});

test('a link of one kind stands once; two kinds are two links', () => {
  const link = { toType: 'companies', toId: '5', kind: '279' };
  const once = record('1', 'a', { associations: [link, { ...link, kind: '1' }] });
  const twice = record('2', 'b', { associations: [link, link] });
  expect(checkInvariant('associated-once', { ...nothing, portals: [portal([once])] }).ok).toBe(
    true,
  );
  expect(
    checkInvariant('associated-once', { ...nothing, portals: [portal([twice])] }).measured,
  ).toBe('1: contacts 2 → companies 5 (279)');
});

test('who is busy is named', () => {
  expect(checkInvariant('nothing-pending', { ...nothing, busy: ['dedupe 3'] })).toEqual({
    expected: '0 pending',
    measured: '1: dedupe 3',
    ok: false,
  });
});
