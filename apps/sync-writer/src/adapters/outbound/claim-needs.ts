import type { EntityId, Random } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { ClaimAnswer, ClaimDecisions, ClaimRequest } from '../../application/ports.js';
import type { ClaimRow } from '../../domain/claim.js';
import type { Operation } from '../../domain/operation.js';
import type { TargetPlan } from '../../domain/plan-target.js';
import { needKey, type Entity, type Mapping } from '../../domain/work.js';
import {
  entitySql,
  mappingColumns,
  toEntity,
  toMapping,
  type EntityRow,
  type MappingRow,
} from './identity-rows.js';
import { operationSql, toOperation, type OperationRow } from './operation-rows.js';

/**
 * Takes claims, in one transaction with the check of the mapping. The order matters:
 *
 *   1. read entities and mappings, and ask which needs want a write at all (most do not);
 *   2. insert claims for those; a claim that somebody else's open transaction is about to remove
 *      makes the insert wait until that transaction has committed;
 *   3. read entities and mappings again: the previous holder committed the mapping together with
 *      the removal of its claim, so whoever gets the claim sees the record that was made;
 *   4. give back the claims of needs that turn out to want nothing, write the operations.
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
  const others = writing.filter((request) => !tokens.has(request.claimKey));
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

interface GraphPart {
  readonly entities: ReadonlyMap<EntityId, Entity>;
  readonly mappings: ReadonlyMap<string, Mapping>;
}

const readWorld = async (tx: Tx, requests: readonly ClaimRequest[]): Promise<GraphPart> => {
  const first = requests[0]?.need;
  if (first === undefined) return { entities: new Map(), mappings: new Map() };
  const ids = requests.map(({ need }) => need.entityId);
  const entities = await tx.query<EntityRow>(
    `select ${entitySql} from sync.entities where tenant_id = $1 and entity_id = any($2::uuid[])`,
    [first.tenantId, ids],
  );
  // A record that lives comes last, so that it wins over its entity's tombstones and aliases.
  const mappings = await tx.query<MappingRow>(
    `select ${mappingColumns('m')} from sync.mappings m
      where m.tenant_id = $1 and m.entity_id = any($2::uuid[]) and m.source_id = $3 and m.record_type = $4
        and m.status in ('linked', 'tombstone')
      order by (m.status = 'linked')`,
    [first.tenantId, ids, first.target, first.recordType],
  );
  return {
    entities: new Map(entities.map((row) => [row.entity_id as EntityId, toEntity(row)])),
    mappings: new Map(mappings.map((row) => [row.entity_id, toMapping(row)])),
  };
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

interface HolderRow extends OperationRow {
  readonly claim_key: string;
  readonly token: string;
  readonly claim_state: ClaimRow['state'];
  readonly claim_operation_id: string;
  readonly lease_until: Date;
  readonly settle_at: Date | null;
}

const holdersSql = `
select c.claim_key, c.token, c.state as claim_state, c.operation_id as claim_operation_id, c.lease_until, c.settle_at,
       ${operationSql('o')}
  from sync.claims c
  left join sync.operations o on o.tenant_id = c.tenant_id and o.operation_id = c.operation_id
 where c.tenant_id = $1 and c.claim_key = any($2::uuid[])
 order by c.source_id, c.record_type, c.entity_id
   for update of c`;

/** Asks what may be done about claims that others hold; answers the requests that took one over. */
const meetHolders = async (
  tx: Tx,
  requests: readonly ClaimRequest[],
  tokens: Map<string, string>,
  decide: ClaimDecisions,
  world: { readonly random: Random; readonly instanceId: string },
  answers: Map<ClaimRequest, ClaimAnswer>,
): Promise<readonly ClaimRequest[]> => {
  const first = requests[0];
  if (first === undefined) return [];
  const keys = requests.map(({ claimKey }) => claimKey);
  const rows = await tx.query<HolderRow>(holdersSql, [first.need.tenantId, keys]);
  const holders = new Map(rows.map((row) => [row.claim_key, row]));
  const graph = await readWorld(tx, requests);
  const takenOver: ClaimRequest[] = [];
  for (const request of requests) {
    const row = holders.get(request.claimKey);
    // Settled between our insert and this look: the lane is due again at once.
    const answer = row === undefined ? wait(request, 0) : meet(request, row, graph, decide, world);
    if (answer.kind !== 'take-over') {
      answers.set(request, answer);
      if (answer.kind === 'probe' || answer.kind === 'name-unknown')
        await overtake(
          tx,
          request,
          answer.token,
          leaseOf(request, answer, decide.nowMs()),
          world.instanceId,
        );
      continue;
    }
    const token = world.random.uuid();
    tokens.set(request.claimKey, token);
    await overtake(tx, request, token, request.claimedLeaseMs, world.instanceId);
    takenOver.push(request);
  }
  return takenOver;
};

/** While the reconciler has yet to look, nobody needs to ask again; then it is named once more. */
const readbackGraceMs = 30_000;

const leaseOf = (
  request: ClaimRequest,
  answer: Extract<ClaimAnswer, { kind: 'probe' | 'name-unknown' }>,
  nowMs: number,
): number =>
  answer.kind === 'probe'
    ? request.sendingLeaseMs
    : Math.max(0, answer.settleAtMs - nowMs) + readbackGraceMs;

const wait = (request: ClaimRequest, untilMs: number): ClaimAnswer => ({
  kind: 'wait',
  claimKey: request.claimKey,
  untilMs,
});

const meet = (
  request: ClaimRequest,
  row: HolderRow,
  graph: GraphPart,
  decide: ClaimDecisions,
  world: { readonly random: Random },
): ClaimAnswer | { readonly kind: 'take-over' } => {
  const verdict = decide.held(
    {
      claimKey: row.claim_key,
      token: row.token,
      state: row.claim_state,
      operationId: row.claim_operation_id,
      leaseUntilMs: row.lease_until.getTime(),
      settleAtMs: row.settle_at?.getTime() ?? null,
    },
    request.strongProbe,
  );
  const entity = graph.entities.get(request.need.entityId);
  switch (verdict.kind) {
    case 'take-over':
      return verdict;
    case 'wait':
      return wait(request, verdict.untilMs);
    case 'probe':
    case 'name-unknown': {
      if (entity === undefined || row.operation_id === null) return { kind: 'take-over' };
      const held = {
        token: world.random.uuid(),
        claimKey: request.claimKey,
        operation: toOperation(row),
        entity,
        mapping: graph.mappings.get(request.need.entityId) ?? null,
      };
      return verdict.kind === 'probe'
        ? { kind: 'probe', ...held }
        : { kind: 'name-unknown', ...held, settleAtMs: verdict.untilMs };
    }
    default:
      return verdict satisfies never;
  }
};

/** A new token shuts the old holder out, whatever it does when it wakes up. */
const overtake = async (
  tx: Tx,
  request: ClaimRequest,
  token: string,
  leaseMs: number,
  holder: string,
): Promise<void> => {
  await tx.query(
    `update sync.claims
        set token = $3, holder = $4,
            lease_until = now() + $5 * interval '1 millisecond'
      where tenant_id = $1 and claim_key = $2`,
    [request.need.tenantId, request.claimKey, token, holder, leaseMs],
  );
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
  const writes: {
    readonly request: ClaimRequest;
    readonly operation: Operation;
    readonly token: string;
  }[] = [];
  const idle: ClaimRequest[] = [];
  for (const request of requests) {
    const plan = planOf(request, graph, decide);
    const token = tokens.get(request.claimKey) ?? '';
    const entity = graph.entities.get(request.need.entityId);
    if (!isWrite(plan) || entity === undefined) {
      idle.push(request);
      if (!isWrite(plan)) answers.set(request, unwritten(plan));
      continue;
    }
    const operation = newOperation(request, plan, decide);
    writes.push({ request, operation, token });
    answers.set(request, {
      kind: 'write',
      token,
      claimKey: request.claimKey,
      operation,
      entity,
      mapping: graph.mappings.get(request.need.entityId) ?? null,
    });
  }
  await giveBack(tx, idle, tokens);
  const saved = await saveOperations(tx, writes);
  for (const { request } of writes) {
    const answer = answers.get(request);
    const operation = saved.get(request.claimKey);
    if (answer?.kind === 'write' && operation) answers.set(request, { ...answer, operation });
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

const giveBack = async (
  tx: Tx,
  requests: readonly ClaimRequest[],
  tokens: ReadonlyMap<string, string>,
): Promise<void> => {
  const first = requests[0];
  if (first === undefined) return;
  await tx.query('delete from sync.claims where tenant_id = $1 and token = any($2::uuid[])', [
    first.need.tenantId,
    requests.map(({ claimKey }) => tokens.get(claimKey)),
  ]);
};

/** An operation that was tried before keeps its attempts and version and is planned again. */
const saveOperationsSql = `
with planned as (
  select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::uuid[],
                       $9::text[], $10::jsonb[], $11::text[], $12::uuid[])
    as p(tenant_id, operation_id, action, source_id, record_type, entity_id, external_id, event_key,
         origin_source_id, fields, traceparent, token)
), saved as (
  insert into sync.operations as o (tenant_id, operation_id, action, source_id, record_type, entity_id, external_id,
                                    event_key, origin_source_id, state, fields, traceparent)
  select tenant_id, operation_id, action, source_id, record_type, entity_id, external_id, event_key,
         origin_source_id, 'planned', fields, traceparent
    from planned
  on conflict (tenant_id, operation_id) do update
     set state = 'planned', fields = excluded.fields, external_id = excluded.external_id, updated_at = now()
  returning ${operationSql('o')}
), bound as (
  update sync.claims c set operation_id = p.operation_id
    from planned p
   where c.tenant_id = p.tenant_id and c.token = p.token
  returning c.claim_key, p.operation_id as bound_id
)
select b.claim_key, s.* from bound b join saved s on s.operation_id = b.bound_id`;

const saveOperations = async (
  tx: Tx,
  writes: readonly { readonly operation: Operation; readonly token: string }[],
): Promise<ReadonlyMap<string, Operation>> => {
  if (writes.length === 0) return new Map();
  const operations = writes.map(({ operation }) => operation);
  const rows = await tx.query<OperationRow & { readonly claim_key: string }>(saveOperationsSql, [
    operations.map(({ tenantId }) => tenantId),
    operations.map(({ operationId }) => operationId),
    operations.map(({ action }) => action),
    operations.map(({ sourceId }) => sourceId),
    operations.map(({ recordType }) => recordType),
    operations.map(({ entityId }) => entityId),
    operations.map(({ externalId }) => externalId),
    operations.map(({ eventKey }) => eventKey),
    operations.map(({ originSourceId }) => originSourceId),
    operations.map(({ fields }) => JSON.stringify(fields)),
    operations.map(({ traceparent }) => traceparent),
    writes.map(({ token }) => token),
  ]);
  return new Map(rows.map((row) => [row.claim_key, toOperation(row)]));
};
