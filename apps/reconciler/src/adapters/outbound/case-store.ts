import { retryTransaction, type Db, type Tx } from '@counterpart/platform-postgres';
import { isSettled, type SyncResult } from '@counterpart/sync-model';
import type { CaseStore } from '../../application/ports.js';
import { caseIdOf } from '../../domain/apply-finding.js';
import { findingOfResult, type Finding } from '../../domain/finding.js';
import { recordFindings } from './case-rows.js';
import type { SaveOutgoing } from './save-outgoing.js';

/** Cases in PostgreSQL. */
export const createCaseStore = (db: Db, save: SaveOutgoing): CaseStore => ({
  followResults: (results, parked) =>
    retryTransaction(db, async (tx) => {
      // First the readbacks, in the same order as a probe that ends: once a settled operation is
      // overtaken no probe can open a case for it any more, and one that did before is seen here.
      await overtakeReadbacks(
        tx,
        results.filter(({ outcome }) => isSettled(outcome)),
      );
      await recordFindings(tx, await worthRecording(tx, results.map(findingOfResult)));
      await save(tx, parked);
    }),

  keepFindings: (findings, parked) =>
    retryTransaction(db, async (tx) => {
      await recordFindings(tx, findings);
      await save(tx, parked);
    }),
});

async function overtakeReadbacks(tx: Tx, settled: readonly SyncResult[]): Promise<void> {
  if (settled.length === 0) return;
  await tx.query(
    `with settled as (
       select tenant_id, operation_id, max(version) as version
         from unnest($1::text[], $2::uuid[], $3::int[]) as s(tenant_id, operation_id, version)
        group by tenant_id, operation_id
     ), locked as (
       select r.tenant_id, r.operation_id
         from reconcile.readbacks r join settled s using (tenant_id, operation_id)
        where r.state in ('waiting', 'given-up') and r.operation_version <= s.version
        order by r.tenant_id, r.operation_id
        for update of r
     )
     update reconcile.readbacks r
        set state = 'overtaken', fields = '{}', lease_token = null, lease_until = null,
            updated_at = now()
       from locked l
      where r.tenant_id = l.tenant_id and r.operation_id = l.operation_id`,
    [
      settled.map(({ tenantId }) => tenantId),
      settled.map(({ operationId }) => operationId),
      settled.map(({ operationVersion }) => operationVersion),
    ],
  );
}

/**
 * Nearly every result is settled and has no case; those need no lock. The others, and every result
 * of a subject that is unsettled in this batch or has a case, go on.
 */
async function worthRecording(tx: Tx, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const unsettled = new Set(
    findings.filter(({ kind }) => kind === 'unsettled').map((finding) => caseIdOf(finding)),
  );
  const rows = await tx.query<{ case_id: string }>(
    `select c.case_id from reconcile.cases c
       join unnest($1::text[], $2::uuid[]) as s(tenant_id, case_id) using (tenant_id, case_id)`,
    [findings.map(({ tenantId }) => tenantId), findings.map(caseIdOf)],
  );
  const known = new Set([...unsettled, ...rows.map((row) => row.case_id)]);
  return findings.filter((finding) => known.has(caseIdOf(finding)));
}
