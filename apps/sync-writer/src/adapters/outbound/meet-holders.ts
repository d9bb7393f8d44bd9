import type { Random } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { ClaimAnswer, ClaimDecisions, ClaimRequest } from '../../application/ports.js';
import { takenLeaseMs, type ClaimRow, type RequestTimes } from '../../domain/claim.js';
import { readWorld, type GraphPart } from './claim-world.js';
import { operationSql, toOperation, type OperationRow } from './operation-rows.js';

interface HolderRow extends OperationRow {
  readonly claim_key: string;
  readonly token: string;
  readonly claim_state: ClaimRow['state'];
  readonly claim_operation_id: string;
  readonly lease_until: Date;
  readonly sent_at: Date | null;
  readonly settle_at: Date | null;
}

const holdersSql = `
select c.claim_key, c.token, c.state as claim_state, c.operation_id as claim_operation_id, c.lease_until, c.sent_at, c.settle_at,
       ${operationSql('o')}
  from sync.claims c
  left join sync.operations o on o.tenant_id = c.tenant_id and o.operation_id = c.operation_id
 where c.tenant_id = $1 and c.claim_key = any($2::uuid[])
 order by c.source_id, c.record_type, c.entity_id
   for update of c`;

/**
 * Asks what may be done about claims that others hold; answers the requests that took one over. What
 * `answers` says already of a request stands unless somebody holds a claim.
 */
export const meetHolders = async (
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
  // Mostly nobody holds anything; then there is nothing to read.
  const graph = await readWorld(
    tx,
    requests.filter(({ claimKey }) => holders.has(claimKey)),
  );
  const takenOver: ClaimRequest[] = [];
  for (const request of requests) {
    const row = holders.get(request.claimKey);
    if (row === undefined) {
      // Settled between our insert and this look: the lane is due again at once.
      if (!answers.has(request)) answers.set(request, wait(request, 0));
      continue;
    }
    const answer = meet(request, row, graph, decide, world);
    if (answer.kind !== 'take-over') {
      answers.set(request, answer);
      if (answer.kind === 'probe' || answer.kind === 'name-unknown')
        await overtake(
          tx,
          request,
          answer.token,
          takenLeaseMs(answer, request, decide.nowMs()),
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

const wait = (request: ClaimRequest, untilMs: number): ClaimAnswer => ({
  kind: 'wait',
  claimKey: request.claimKey,
  untilMs,
});

/** The request a claim tells of; null while it is only claimed. */
export const requestOf = (row: {
  readonly sent_at: Date | null;
  readonly settle_at: Date | null;
}): RequestTimes | null =>
  row.sent_at === null || row.settle_at === null
    ? null
    : { sentAtMs: row.sent_at.getTime(), settleAtMs: row.settle_at.getTime() };

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
      request: requestOf(row),
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
      return { ...verdict, ...held };
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
