import {
  isSettled,
  type CaseClass,
  type DeadLetter,
  type SyncResult,
  type TenantId,
  type UnsettledOutcome,
} from '@counterpart/sync-model';
import type { CaseAbout } from './case.js';
import type { Readback } from './readback.js';

/** Something that is known about a subject now, and whether anybody still has to act. */
export type Finding = Unsettled | Settled;

interface Known {
  readonly tenantId: TenantId;
  readonly subject: string;
  readonly messageId: string;
  /** Grows with every statement about one operation; 0 where there is only one. */
  readonly operationVersion: number;
  readonly code: string;
  readonly atMs: number;
}
export interface Unsettled extends Known {
  readonly kind: 'unsettled';
  readonly caseClass: CaseClass;
  readonly detail: string;
  readonly service: string;
  readonly evidenceRef: string;
  readonly about: CaseAbout;
}
export interface Settled extends Known {
  readonly kind: 'settled';
}

export const operationSubject = (operationId: string): string => `operation:${operationId}`;

/** A result of the writer: settled ones close the operation's case, the others open or refresh it. */
export function findingOfResult(result: SyncResult): Finding {
  const known = {
    tenantId: result.tenantId,
    subject: operationSubject(result.operationId),
    messageId: result.messageId,
    operationVersion: result.operationVersion,
    code: result.reason === '' ? result.outcome : result.reason,
    atMs: result.occurredAtMs,
  };
  const { outcome } = result;
  if (isSettled(outcome)) return { kind: 'settled', ...known };
  return {
    kind: 'unsettled',
    ...known,
    caseClass: classOf(outcome, result.reason),
    detail: detailOf(outcome),
    service: 'sync-writer',
    evidenceRef: `sync-writer:operations/${result.operationId}`,
    about: {
      sourceId: result.targetSourceId,
      recordType: result.recordType,
      entityId: result.entityId,
      operationId: result.operationId,
    },
  };
}

/** A dead letter always waits for somebody. The same evidence told twice is one case. */
export const findingOfDeadLetter = (letter: DeadLetter): Unsettled => ({
  kind: 'unsettled',
  tenantId: letter.tenantId,
  subject: `dead-letter:${letter.service}|${letter.code}|${letter.evidenceRef}`,
  messageId: letter.messageId,
  operationVersion: 0,
  code: letter.code,
  atMs: letter.occurredAtMs,
  caseClass: letter.caseClass,
  detail: letter.detail,
  service: letter.service,
  evidenceRef: letter.evidenceRef,
  about: { sourceId: null, recordType: null, entityId: null, operationId: null },
});

/** A readback that found several records, or could not be made within its budget. */
export const findingOfReadback = (
  readback: Readback,
  trouble: { readonly kind: 'ambiguous' } | { readonly kind: 'given-up'; readonly code: string },
  atMs: number,
): Unsettled => ({
  kind: 'unsettled',
  tenantId: readback.tenantId,
  subject: operationSubject(readback.operationId),
  messageId: `readback|${readback.operationId}|${readback.operationVersion}|${readback.attempts + 1}`,
  operationVersion: readback.operationVersion,
  code: trouble.kind === 'ambiguous' ? 'several-records-match' : trouble.code,
  atMs,
  caseClass: trouble.kind === 'ambiguous' ? 'ambiguity' : classOfUnreadable(trouble.code),
  detail:
    trouble.kind === 'ambiguous'
      ? 'several records at the source match the write whose outcome is unknown: merge them there'
      : 'the outcome of a write is unknown and the source could not be read to find it out',
  service: 'reconciler',
  evidenceRef: `reconciler:readbacks/${readback.operationId}`,
  about: {
    sourceId: readback.sourceId,
    recordType: readback.recordType,
    entityId: readback.entityId,
    operationId: readback.operationId,
  },
});

const accessCodes: ReadonlySet<string> = new Set([
  'credentials',
  'permission',
  'secret-missing',
  'secret-empty',
  'secret-ref',
  'secret-outside',
]);

const classOfUnreadable = (code: string): CaseClass =>
  accessCodes.has(code) ? 'credentials' : 'unknown-outcome';

/** `budget-attempts:credentials` → `credentials`: what a spent budget was spent on. */
const causeOf = (reason: string): string => reason.slice(reason.indexOf(':') + 1);

function classOf(outcome: UnsettledOutcome, reason: string): CaseClass {
  if (accessCodes.has(causeOf(reason))) return 'credentials';
  switch (outcome) {
    case 'conflict':
      return 'conflict';
    case 'held':
      return 'policy-stop';
    case 'quarantined':
      return 'processing-failure';
    case 'unknown':
      return 'unknown-outcome';
    case 'needs-review':
      return reason.startsWith('budget-') ? 'delivery-failure' : 'ambiguity';
    default:
      return outcome satisfies never;
  }
}

function detailOf(outcome: UnsettledOutcome): string {
  switch (outcome) {
    case 'conflict':
      return 'two sides changed the same thing and the plan does not say who wins';
    case 'held':
      return 'the change waits for something else to be settled first';
    case 'quarantined':
      return 'the source refuses the change as it is';
    case 'unknown':
      return 'the write was sent and its answer was lost; a readback will look for it';
    case 'needs-review':
      return 'the change cannot be made without a decision';
    default:
      return outcome satisfies never;
  }
}
