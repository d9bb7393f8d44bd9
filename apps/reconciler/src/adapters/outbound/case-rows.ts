import type { Tx } from '@counterpart/platform-postgres';
import { applyAll, caseIdOf } from '../../domain/apply-finding.js';
import type { Case, CaseChange } from '../../domain/case.js';
import type { Finding } from '../../domain/finding.js';
import { caseColumns, caseValues, toCase, type CaseRow } from './case-columns.js';

/**
 * Lets findings move the cases of their subjects, in the caller's transaction, with an audit row for
 * every move. Two processes may learn of one subject at once (a result here, a probe there), and a
 * case that does not exist cannot be locked: so its subject is, in one fixed order.
 */
export async function recordFindings(tx: Tx, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  const bySubject = groupBySubject(findings);
  const subjects = [...bySubject.values()].map(([first]) => first);
  await lockSubjects(tx, subjects);
  const known = await readCases(tx, subjects);
  const results = [...bySubject].map(([key, group]) => applyAll(known.get(key) ?? null, group));
  const moved = results.filter(({ changes }) => changes.length > 0);
  await writeCases(
    tx,
    moved.flatMap(({ next }) => next ?? []),
  );
  await writeChanges(
    tx,
    moved.flatMap(({ changes }) => changes),
  );
}

type Group = readonly [Finding, ...Finding[]];
const keyOf = (ref: { readonly tenantId: string; readonly subject: string }): string =>
  `${ref.tenantId}\u001f${ref.subject}`;

function groupBySubject(findings: readonly Finding[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    groups.set(key, group === undefined ? [finding] : [...group, finding]);
  }
  return groups;
}

async function lockSubjects(tx: Tx, subjects: readonly Finding[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(lock_key)
       from (select distinct hashtextextended(key, 0) as lock_key
               from unnest($1::text[]) as k(key) order by 1) as locks`,
    [subjects.map((subject) => `reconcile.cases/${keyOf(subject)}`)],
  );
}

async function readCases(tx: Tx, subjects: readonly Finding[]): Promise<ReadonlyMap<string, Case>> {
  const rows = await tx.query<CaseRow>(
    `select ${caseColumns.map((column) => `c.${column}`).join(', ')}
       from reconcile.cases c
       join unnest($1::text[], $2::uuid[]) as s(tenant_id, case_id) using (tenant_id, case_id)`,
    [subjects.map(({ tenantId }) => tenantId), subjects.map(caseIdOf)],
  );
  return new Map(rows.map(toCase).map((one) => [keyOf(one), one]));
}

async function writeCases(tx: Tx, cases: readonly Case[]): Promise<void> {
  if (cases.length === 0) return;
  await tx.query(
    `insert into reconcile.cases
       (tenant_id, case_id, subject, case_class, state, assignee, code, detail, service,
        evidence_ref, source_id, record_type, entity_id, operation_id, operation_version,
        message_id, changes, opened_at, updated_at, settled_at)
     select tenant_id, case_id, subject, case_class, state, assignee, code, detail, service,
            evidence_ref, source_id, record_type, entity_id, operation_id, operation_version,
            message_id, changes, to_timestamp(opened_ms / 1000), to_timestamp(updated_ms / 1000),
            to_timestamp(settled_ms / 1000)
       from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
                   $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
                   $13::uuid[], $14::uuid[], $15::int[], $16::text[], $17::int[], $18::float8[],
                   $19::float8[], $20::float8[])
         as n(tenant_id, case_id, subject, case_class, state, assignee, code, detail, service,
              evidence_ref, source_id, record_type, entity_id, operation_id, operation_version,
              message_id, changes, opened_ms, updated_ms, settled_ms)
     on conflict (tenant_id, case_id) do update
        set case_class = excluded.case_class, state = excluded.state, assignee = excluded.assignee,
            code = excluded.code, detail = excluded.detail, service = excluded.service,
            evidence_ref = excluded.evidence_ref, operation_version = excluded.operation_version,
            message_id = excluded.message_id, changes = excluded.changes,
            updated_at = excluded.updated_at, settled_at = excluded.settled_at`,
    caseValues(cases),
  );
}

async function writeChanges(tx: Tx, changes: readonly CaseChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `insert into reconcile.case_changes
       (tenant_id, case_id, change_no, move, state, actor, case_class, code, evidence_ref,
        message_id, changed_at)
     select tenant_id, case_id, change_no, move, state, actor, case_class, code, evidence_ref,
            message_id, to_timestamp(changed_ms / 1000)
       from unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[],
                   $7::text[], $8::text[], $9::text[], $10::text[], $11::float8[])
         as n(tenant_id, case_id, change_no, move, state, actor, case_class, code, evidence_ref,
              message_id, changed_ms)`,
    [
      changes.map(({ tenantId }) => tenantId),
      changes.map(({ caseId }) => caseId),
      changes.map(({ changeNo }) => changeNo),
      changes.map(({ move }) => move),
      changes.map(({ state }) => state),
      changes.map(({ actor }) => actor),
      changes.map(({ caseClass }) => caseClass),
      changes.map(({ code }) => code),
      changes.map(({ evidenceRef }) => evidenceRef),
      changes.map(({ messageId }) => messageId),
      changes.map(({ changedAtMs }) => changedAtMs),
    ],
  );
}
