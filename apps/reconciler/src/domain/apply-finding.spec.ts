import { outcomes, unsettledOutcomes } from '@counterpart/sync-model';
import { applyAll, caseIdOf } from './apply-finding.js';
import type { Case } from './case.js';
import { findingOfDeadLetter, findingOfReadback, findingOfResult } from './finding.js';
import { aDeadLetter, aReadback, aResult } from '../testing/values.js';

const unknown = findingOfResult(aResult());
const needsReview = findingOfResult(
  aResult({ outcome: 'needs-review', reason: 'several-records-match', operationVersion: 2 }),
);
const reconciled = findingOfResult(
  aResult({ outcome: 'reconciled', reason: 'create', operationVersion: 3, occurredAtMs: 9_000 }),
);
const movesOf = (findings: Parameters<typeof applyAll>[1], from: Case | null = null) =>
  applyAll(from, findings).changes.map(({ move, state }) => `${move} -> ${state}`);
const after = (findings: Parameters<typeof applyAll>[1]): Case => {
  const { next } = applyAll(null, findings);
  if (next === null) throw new Error('no case');
  return next;
};

test('an unsettled result opens a case that says what, where and why', () => {
  expect(after([unknown])).toMatchObject({
    caseId: caseIdOf(unknown),
    subject: 'operation:00000000-0000-0000-0000-0000000000a1',
    caseClass: 'unknown-outcome',
    state: 'open',
    code: 'deadline',
    service: 'sync-writer',
    sourceId: 'crm',
    recordType: 'contact',
    changes: 1,
    openedAtMs: 5_000,
    settledAtMs: null,
  });
});

test.each<[string, Parameters<typeof applyAll>[1], string[]]>([
  ['a settled result alone makes no case', [reconciled], []],
  ['unknown, then settled', [unknown, reconciled], ['open -> open', 'settle -> settled']],
  [
    'unknown, then worse, then settled',
    [unknown, needsReview, reconciled],
    ['open -> open', 'refresh -> open', 'settle -> settled'],
  ],
  ['the same message again changes nothing', [unknown, unknown], ['open -> open']],
  [
    'everything again changes nothing',
    [unknown, needsReview, reconciled, unknown, needsReview, reconciled],
    ['open -> open', 'refresh -> open', 'settle -> settled'],
  ],
  ['an older version never moves a case', [needsReview, unknown], ['open -> open']],
  [
    'settled under the same version, as of events that have no version of their own',
    [
      findingOfResult(aResult({ outcome: 'held', reason: 'waiting' })),
      findingOfResult(aResult({ outcome: 'applied', reason: 'create' })),
      findingOfResult(aResult({ outcome: 'held', reason: 'waiting' })),
    ],
    ['open -> open', 'settle -> settled'],
  ],
  [
    'a newer unsettled version opens it again',
    [unknown, reconciled, findingOfResult(aResult({ outcome: 'conflict', operationVersion: 4 }))],
    ['open -> open', 'settle -> settled', 'reopen -> open'],
  ],
  [
    'a readback that gives up refreshes the case of its operation',
    [unknown, findingOfReadback(aReadback(), { kind: 'given-up', code: 'credentials' }, 6_000)],
    ['open -> open', 'refresh -> open'],
  ],
])('%s', (_what, findings, moves) => {
  expect(movesOf(findings)).toEqual(moves);
});

test('who is assigned keeps the case through refreshes, and loses it when it is opened again', () => {
  const assigned: Case = { ...after([unknown]), state: 'assigned', assignee: 'ann' };
  expect(applyAll(assigned, [needsReview]).next).toMatchObject({
    state: 'assigned',
    assignee: 'ann',
  });
  const again = findingOfResult(aResult({ outcome: 'conflict', operationVersion: 4 }));
  expect(applyAll(assigned, [reconciled, again]).next).toMatchObject({
    state: 'open',
    assignee: null,
  });
});

test('changes are numbered through', () => {
  const { changes } = applyAll(null, [unknown, needsReview, reconciled]);
  expect(changes.map(({ changeNo }) => changeNo)).toEqual([1, 2, 3]);
});

test('a dead letter is one case for one piece of evidence, of one tenant', () => {
  const letter = findingOfDeadLetter(aDeadLetter());
  const told = findingOfDeadLetter(aDeadLetter({ messageId: 'dead-2' }));
  expect(movesOf([letter, told])).toEqual(['open -> open']);
  const other = findingOfDeadLetter(aDeadLetter({ evidenceRef: 'dedupe:event_conflicts/2' }));
  expect(caseIdOf(other)).not.toBe(caseIdOf(letter));
  expect(caseIdOf({ ...letter, tenantId: aResult().tenantId })).toBe(caseIdOf(letter));
});

test('every outcome is a finding; exactly the unsettled ones need somebody', () => {
  const kinds = outcomes.filter(
    (outcome) => findingOfResult(aResult({ outcome })).kind === 'unsettled',
  );
  expect(kinds).toEqual([...unsettledOutcomes]);
});

test.each([
  ['conflict', 'same-revision-other-value', 'conflict'],
  ['held', 'waiting', 'policy-stop'],
  ['quarantined', 'invalid-field', 'processing-failure'],
  ['quarantined', 'credentials', 'credentials'],
  ['unknown', 'deadline', 'unknown-outcome'],
  ['needs-review', 'several-records-match', 'ambiguity'],
  ['needs-review', 'budget-attempts:connection-lost', 'delivery-failure'],
  ['needs-review', 'budget-age:permission', 'credentials'],
] as const)('%s because of %s is a case of class %s', (outcome, reason, caseClass) => {
  expect(findingOfResult(aResult({ outcome, reason }))).toMatchObject({ caseClass });
});
