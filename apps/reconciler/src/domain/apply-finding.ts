import { hash128 } from '@counterpart/sync-model';
import { stateAfter, type Case, type CaseChange, type CaseMove } from './case.js';
import type { Finding, Unsettled } from './finding.js';

export interface Applied {
  readonly next: Case;
  readonly change: CaseChange;
}

const ACTOR = 'reconciler';

/**
 * What a finding does to the case of its subject; null when it changes nothing. Statements about one
 * operation arrive in order but may arrive again, so an older version never moves a case, and a
 * settled case is opened again only by a *newer* version.
 */
export function applyFinding(current: Case | null, finding: Finding): Applied | null {
  if (current === null) {
    return finding.kind === 'settled' ? null : opened(finding);
  }
  const move = moveFor(current, finding);
  const state = move && stateAfter(current.state, move);
  if (!move || !state) return null;
  const next: Case = {
    ...current,
    ...(finding.kind === 'unsettled' ? stated(finding) : { code: finding.code }),
    state,
    // Who owned a settled case need not own what opens it again.
    assignee: state === 'assigned' ? current.assignee : null,
    operationVersion: finding.operationVersion,
    messageId: finding.messageId,
    changes: current.changes + 1,
    updatedAtMs: finding.atMs,
    settledAtMs: state === 'settled' ? finding.atMs : null,
  };
  return { next, change: changeOf(next, move, finding.atMs) };
}

function moveFor(current: Case, finding: Finding): CaseMove | null {
  if (finding.messageId === current.messageId) return null;
  if (finding.operationVersion < current.operationVersion) return null;
  if (finding.kind === 'settled') return 'settle';
  if (current.state !== 'settled') return saysNothingNew(current, finding) ? null : 'refresh';
  return finding.operationVersion > current.operationVersion ? 'reopen' : null;
}

const saysNothingNew = (current: Case, finding: Unsettled): boolean =>
  current.caseClass === finding.caseClass &&
  current.code === finding.code &&
  current.operationVersion === finding.operationVersion;

const stated = (finding: Unsettled) => ({
  caseClass: finding.caseClass,
  code: finding.code,
  detail: finding.detail,
  service: finding.service,
  evidenceRef: finding.evidenceRef,
});

function opened(finding: Unsettled): Applied {
  const next: Case = {
    ...finding.about,
    ...stated(finding),
    tenantId: finding.tenantId,
    caseId: caseIdOf(finding),
    subject: finding.subject,
    state: 'open',
    assignee: null,
    operationVersion: finding.operationVersion,
    messageId: finding.messageId,
    changes: 1,
    openedAtMs: finding.atMs,
    updatedAtMs: finding.atMs,
    settledAtMs: null,
  };
  return { next, change: changeOf(next, 'open', finding.atMs) };
}

/** The same subject always has the same case, whoever sees it first. */
export const caseIdOf = ({ tenantId, subject }: Pick<Case, 'tenantId' | 'subject'>): string =>
  hash128(JSON.stringify(['case', tenantId, subject]));

const changeOf = (next: Case, move: CaseMove, changedAtMs: number): CaseChange => ({
  tenantId: next.tenantId,
  caseId: next.caseId,
  changeNo: next.changes,
  move,
  state: next.state,
  actor: ACTOR,
  caseClass: next.caseClass,
  code: next.code,
  evidenceRef: next.evidenceRef,
  messageId: next.messageId,
  changedAtMs,
});

/** Several findings of one subject in order: the last state, and every move on the way. */
export function applyAll(
  current: Case | null,
  findings: readonly Finding[],
): { readonly next: Case | null; readonly changes: readonly CaseChange[] } {
  let next = current;
  const changes: CaseChange[] = [];
  for (const finding of findings) {
    const applied = applyFinding(next, finding);
    if (applied === null) continue;
    next = applied.next;
    changes.push(applied.change);
  }
  return { next, changes };
}
