import type {
  CaseClass,
  EntityId,
  OperationId,
  RecordType,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';

/*
 * A case is unsettled work that somebody owns.
 *
 *              ┌─────── refresh ───────┐
 *   open ──────┴──▶ open ──assign──▶ assigned ──release──▶ open
 *     │                                 │
 *     └───────────── settle ────────────┴──▶ settled ──reopen──▶ open
 *
 * Findings (results, dead letters, our own probes) open, refresh, settle and reopen. Assigning and
 * releasing are for people. Whatever is not in the table does not happen.
 */
export type CaseState = 'open' | 'assigned' | 'settled';
export type CaseMove = 'open' | 'refresh' | 'assign' | 'release' | 'settle' | 'reopen';

const moves: Readonly<Record<CaseState | 'none', Readonly<Partial<Record<CaseMove, CaseState>>>>> =
  {
    none: { open: 'open' },
    open: { refresh: 'open', assign: 'assigned', settle: 'settled' },
    assigned: { refresh: 'assigned', assign: 'assigned', release: 'open', settle: 'settled' },
    settled: { reopen: 'open' },
  };

/** The state a move leads to; undefined when it may not be made from there. */
export const stateAfter = (state: CaseState | 'none', move: CaseMove): CaseState | undefined =>
  moves[state][move];

/** What a case is about, where it is about an operation. */
export interface CaseAbout {
  readonly sourceId: SourceId | null;
  readonly recordType: RecordType | null;
  readonly entityId: EntityId | null;
  readonly operationId: OperationId | null;
}

export interface Case extends CaseAbout {
  readonly tenantId: TenantId;
  readonly caseId: string;
  /** `operation:<id>` or `dead-letter:<service>|<code>|<evidence>`: one case for each. */
  readonly subject: string;
  readonly caseClass: CaseClass;
  readonly state: CaseState;
  readonly assignee: string | null;
  /** Stable, for filters and runbooks. */
  readonly code: string;
  /** A sentence without personal data. */
  readonly detail: string;
  /** Who could not settle it. */
  readonly service: string;
  readonly evidenceRef: string;
  readonly operationVersion: number;
  /** Of the newest finding; the same finding again changes nothing. */
  readonly messageId: string;
  /** Moves made so far; numbers the audit rows. */
  readonly changes: number;
  readonly openedAtMs: number;
  readonly updatedAtMs: number;
  readonly settledAtMs: number | null;
}

/** One move, as the audit keeps it. */
export interface CaseChange {
  readonly tenantId: TenantId;
  readonly caseId: string;
  readonly changeNo: number;
  readonly move: CaseMove;
  readonly state: CaseState;
  readonly actor: string;
  readonly caseClass: CaseClass;
  readonly code: string;
  readonly evidenceRef: string;
  readonly messageId: string;
  readonly changedAtMs: number;
}
