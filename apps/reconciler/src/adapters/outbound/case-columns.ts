import {
  asEntityId,
  asOperationId,
  asSourceId,
  asTenantId,
  type CaseClass,
} from '@counterpart/sync-model';
import type { Case, CaseState } from '../../domain/case.js';

/** A row of reconcile.cases as the driver gives it. */
export interface CaseRow {
  readonly tenant_id: string;
  readonly case_id: string;
  readonly subject: string;
  readonly case_class: CaseClass;
  readonly state: CaseState;
  readonly assignee: string | null;
  readonly code: string;
  readonly detail: string;
  readonly service: string;
  readonly evidence_ref: string;
  readonly source_id: string | null;
  readonly record_type: string | null;
  readonly entity_id: string | null;
  readonly operation_id: string | null;
  readonly operation_version: number;
  readonly message_id: string;
  readonly changes: number;
  readonly opened_at: Date;
  readonly updated_at: Date;
  readonly settled_at: Date | null;
}

/** All columns, in the order in which `caseValues` gives them. */
export const caseColumns = [
  'tenant_id',
  'case_id',
  'subject',
  'case_class',
  'state',
  'assignee',
  'code',
  'detail',
  'service',
  'evidence_ref',
  'source_id',
  'record_type',
  'entity_id',
  'operation_id',
  'operation_version',
  'message_id',
  'changes',
  'opened_at',
  'updated_at',
  'settled_at',
] as const satisfies readonly (keyof CaseRow)[];

export const toCase = (row: CaseRow): Case => ({
  tenantId: asTenantId(row.tenant_id),
  caseId: row.case_id,
  subject: row.subject,
  caseClass: row.case_class,
  state: row.state,
  assignee: row.assignee,
  code: row.code,
  detail: row.detail,
  service: row.service,
  evidenceRef: row.evidence_ref,
  sourceId: row.source_id === null ? null : asSourceId(row.source_id),
  recordType: row.record_type,
  entityId: row.entity_id === null ? null : asEntityId(row.entity_id),
  operationId: row.operation_id === null ? null : asOperationId(row.operation_id),
  operationVersion: row.operation_version,
  messageId: row.message_id,
  changes: row.changes,
  openedAtMs: row.opened_at.getTime(),
  updatedAtMs: row.updated_at.getTime(),
  settledAtMs: row.settled_at?.getTime() ?? null,
});

/** The cases as one list for each column, for `unnest`. */
export const caseValues = (cases: readonly Case[]): readonly (readonly unknown[])[] => {
  const valuesOf: readonly ((one: Case) => unknown)[] = [
    (one) => one.tenantId,
    (one) => one.caseId,
    (one) => one.subject,
    (one) => one.caseClass,
    (one) => one.state,
    (one) => one.assignee,
    (one) => one.code,
    (one) => one.detail,
    (one) => one.service,
    (one) => one.evidenceRef,
    (one) => one.sourceId,
    (one) => one.recordType,
    (one) => one.entityId,
    (one) => one.operationId,
    (one) => one.operationVersion,
    (one) => one.messageId,
    (one) => one.changes,
    (one) => one.openedAtMs,
    (one) => one.updatedAtMs,
    (one) => one.settledAtMs,
  ];
  return valuesOf.map((valueOf) => cases.map(valueOf));
};
