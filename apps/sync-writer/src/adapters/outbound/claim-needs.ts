import type { Random } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { ClaimAnswer, ClaimDecisions, ClaimRequest } from '../../application/ports.js';
import type { Operation } from '../../domain/operation.js';
import type { TargetPlan } from '../../domain/plan-target.js';
import { needKey } from '../../domain/work.js';
import { readWorld, type GraphPart } from './claim-world.js';
import { meetHolders } from './meet-holders.js';
import { releaseUnsent } from './release-claims.js';
import { readParked, saveOperations } from './save-operations.js';

/**
 * Takes claims, in one transaction with the check of the mapping. The order matters:
 *
 *   1. read entities and mappings, and ask which needs want a write at all (most do not);
 *   2. insert claims for those; a claim that somebody else's open transaction is about to remove
 *      makes the insert wait until that transaction has committed. Needs that want nothing look
 *      whether somebody holds a claim: what he is sending may not be what is meant by now;
 *   3. read entities and mappings again: the previous holder committed the mapping together with
 *      the removal of its claim, so whoever gets the claim sees the record that was made;
 *   4. give back the claims of needs that turn out to want nothing, or whose very write is held or
 *      refused already, and write the operations of the others.
 */
export const claimNeeds = async (
  tx: Tx,
  requests: readonly ClaimRequest[],
  decide: ClaimDecisions,
  world: { readonly random: Random; readonly instanceId: string },
): Promise<readonly ClaimAnswer[]> => {
  const before = await readWorld(tx, requests);
  const planned = requests.map((request) => planOf(request, before, decide));
  const writing = requests.filter((_, index) => isWrite(planned[index]));
  const tokens = await insertClaims(tx, writing, world);
  const mine = writing.filter((request) => tokens.has(request.claimKey));
  const others = requests.filter((request) => !tokens.has(request.claimKey));
  const answers = new Map<ClaimRequest, ClaimAnswer>();
  requests.forEach((request, index) => {
    const plan = planned[index];
    if (plan !== undefined && !isWrite(plan)) answers.set(request, unwritten(plan));
  });
  const takenOver = await meetHolders(tx, others, tokens, decide, world, answers);
  await planWrites(tx, [...mine, ...takenOver], tokens, decide, answers);
  return requests.map(
    (request) => answers.get(request) ?? { kind: 'wait', claimKey: request.claimKey, untilMs: 0 },
  );
};

const planOf = ({ need }: ClaimRequest, world: GraphPart, decide: ClaimDecisions): TargetPlan => {
  const entity = world.entities.get(need.entityId);
  return entity === undefined
    ? { kind: 'gone', reason: 'entity-unknown' }
    : decide.plan(need, entity, world.mappings.get(need.entityId));
};

type WritePlan = Extract<TargetPlan, { kind: 'create' | 'update' }>;

const isWrite = (plan: TargetPlan | undefined): plan is WritePlan =>
  plan?.kind === 'create' || plan?.kind === 'update';

const unwritten = (plan: Exclude<TargetPlan, WritePlan>): ClaimAnswer =>
  plan.kind === 'none'
    ? { kind: 'linked', externalId: plan.externalId }
    : { kind: 'gone', reason: plan.reason };

const insertClaimsSql = `
insert into sync.claims (tenant_id, source_id, record_type, entity_id, claim_key, token, holder, state, operation_id, lease_until)
select n.tenant_id, n.source_id, n.record_type, n.entity_id, n.claim_key, n.token, $7, 'claimed', n.token,
       now() + n.lease_ms * interval '1 millisecond'
  from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $8::float8[])
       as n(tenant_id, source_id, record_type, entity_id, claim_key, token, lease_ms)
on conflict (tenant_id, source_id, record_type, entity_id) do nothing
returning claim_key, token`;

/** Claim key → token of the claims that are now ours. Sorted: one lock order for all workers. */
const insertClaims = async (
  tx: Tx,
  requests: readonly ClaimRequest[],
  world: { readonly random: Random; readonly instanceId: string },
): Promise<Map<string, string>> => {
  if (requests.length === 0) return new Map();
  const sorted = [...requests].sort((a, b) => (needKey(a.need) < needKey(b.need) ? -1 : 1));
  const rows = await tx.query<{ claim_key: string; token: string }>(insertClaimsSql, [
    sorted.map(({ need }) => need.tenantId),
    sorted.map(({ need }) => need.target),
    sorted.map(({ need }) => need.recordType),
    sorted.map(({ need }) => need.entityId),
    sorted.map(({ claimKey }) => claimKey),
    sorted.map(() => world.random.uuid()),
    world.instanceId,
    sorted.map(({ claimedLeaseMs }) => claimedLeaseMs),
  ]);
  return new Map(rows.map((row) => [row.claim_key, row.token]));
};

/** The second look under the claims, and the operations of those that still want a write. */
const planWrites = async (
  tx: Tx,
  requests: readonly ClaimRequest[],
  tokens: ReadonlyMap<string, string>,
  decide: ClaimDecisions,
  answers: Map<ClaimRequest, ClaimAnswer>,
): Promise<void> => {
  const graph = await readWorld(tx, requests);
  const planned = new Map<ClaimRequest, Operation>();
  for (const request of requests) {
    const plan = planOf(request, graph, decide);
    if (isWrite(plan)) planned.set(request, newOperation(request, plan, decide));
    else answers.set(request, unwritten(plan));
  }
  const parked = await readParked(tx, [...planned.values()]);
  for (const [request, operation] of planned) {
    const answer = parked.get(operation.operationId);
    if (answer === undefined) continue;
    answers.set(request, answer);
    planned.delete(request);
  }
  const tokenOf = ({ claimKey }: ClaimRequest): string => tokens.get(claimKey) ?? '';
  const idle = requests.filter((request) => !planned.has(request));
  await releaseUnsent(
    tx,
    idle.map((request) => ({ tenantId: request.need.tenantId, token: tokenOf(request) })),
  );
  const saved = await saveOperations(
    tx,
    [...planned].map(([request, operation]) => ({ operation, token: tokenOf(request) })),
  );
  for (const request of planned.keys()) {
    const entity = graph.entities.get(request.need.entityId);
    const operation = saved.get(request.claimKey);
    if (entity === undefined || operation === undefined) continue;
    const mapping = graph.mappings.get(request.need.entityId) ?? null;
    const { claimKey } = request;
    answers.set(request, {
      kind: 'write',
      token: tokenOf(request),
      claimKey,
      operation,
      entity,
      mapping,
    });
  }
};

const newOperation = (
  { need }: ClaimRequest,
  plan: WritePlan,
  decide: ClaimDecisions,
): Operation => ({
  tenantId: need.tenantId,
  operationId: decide.operationIdOf(need, plan),
  action: plan.kind,
  sourceId: need.target,
  recordType: need.recordType,
  entityId: need.entityId,
  externalId: plan.kind === 'update' ? plan.externalId : null,
  eventKey: need.eventKey,
  originSourceId: need.originSourceId,
  fields: plan.fields,
  attempts: 0,
  version: 0,
  state: 'planned',
  traceparent: need.traceparent,
});
