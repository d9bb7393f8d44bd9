import type { EntityId, TenantId } from '@counterpart/sync-model';
import type {
  ClaimAnswer,
  ClaimDecisions,
  ClaimRequest,
  Committed,
  HeldClaim,
  Refusal,
  WriteStore,
} from '../application/ports.js';
import { readbackGraceMs, takenLeaseMs } from '../domain/claim.js';
import type { Operation, Settlement } from '../domain/operation.js';
import { recordTaken } from '../domain/settle-write.js';
import type { Mapping, Need } from '../domain/work.js';
import type { ClaimRecord, MemoryTables } from './memory-tables.js';

export interface WritesWorld {
  readonly tenantId: TenantId;
  readonly nowMs: () => number;
  readonly uuid: () => string;
}

/** Claims and operations over tables in memory; the protocol is told in `domain/claim.ts`. */
export const memoryWrites = (tables: MemoryTables, world: WritesWorld): WriteStore => ({
  claim: (requests, decide) =>
    Promise.resolve(requests.map((request) => claimOne(request, decide, tables, world))),
  markSending(sends) {
    const marked = sends.flatMap(({ token, entityVersion, leaseMs, settleMs }) => {
      const claim = [...tables.claims.values()].find((one) => one.token === token);
      if (claim?.state !== 'claimed') return [];
      if (tables.entities.get(claim.need.entityId)?.version !== entityVersion) return [];
      const nowMs = world.nowMs();
      claim.state = 'sending';
      claim.leaseUntilMs = nowMs + leaseMs;
      claim.request = { sentAtMs: nowMs, settleAtMs: nowMs + settleMs };
      change(tables, claim.operationId, (operation) => ({
        ...operation,
        state: 'attempting',
        attempts: operation.attempts + 1,
      }));
      return [token];
    });
    return Promise.resolve(new Set(marked));
  },
  release(claims) {
    for (const { token } of claims) {
      const claim = [...tables.claims.values()].find((one) => one.token === token);
      if (claim?.state !== 'claimed') continue;
      drop(tables, claim);
      wake(claim.claimKey, tables, world.nowMs());
    }
    return Promise.resolve();
  },
  settle: (settlements) => Promise.resolve(settleAll(settlements, tables, world)),
  toldAt(_tenantId, eventKeys) {
    const told = eventKeys.map(
      (eventKey) =>
        [
          eventKey,
          [...tables.operations.values()]
            .filter(({ operation }) => operation.eventKey === eventKey && operation.version > 0)
            .map(({ operation }) => ({
              target: operation.sourceId,
              entityId: operation.entityId,
            })),
        ] as const,
    );
    return Promise.resolve(new Map(told));
  },
  takeLost(limit) {
    const lost = [...tables.claims.values()].filter(
      (claim) =>
        claim.state === 'sending' &&
        claim.leaseUntilMs < world.nowMs() - readbackGraceMs &&
        tables.operations.get(claim.operationId)?.operation.state === 'attempting',
    );
    return Promise.resolve(
      lost.slice(0, limit).flatMap((claim) => {
        const operation = tables.operations.get(claim.operationId)?.operation;
        const { claimKey, request } = claim;
        if (operation === undefined || request === null) return [];
        claim.token = world.uuid();
        claim.leaseUntilMs = Math.max(world.nowMs(), request.settleAtMs) + readbackGraceMs;
        return [{ operation, token: claim.token, claimKey, request }];
      }),
    );
  },
  statedOperation(_tenantId, { operationId, operationVersion }) {
    const operation = tables.operations.get(operationId)?.operation;
    if (operation === undefined) return Promise.resolve(null);
    const claim = [...tables.claims.values()].find((one) => one.operationId === operationId);
    const isThis = operation.state === 'unknown' && operation.version === operationVersion;
    if (!isThis || claim?.state !== 'sending' || claim.request === null)
      return Promise.resolve({ operation, open: null });
    const { token, claimKey, request } = claim;
    const mapping = targetMapping(tables, claim.need) ?? null;
    return Promise.resolve({ operation, open: { token, claimKey, request, mapping } });
  },
});

const change = (
  tables: MemoryTables,
  operationId: string,
  next: (operation: Operation) => Operation,
): void => {
  const record = tables.operations.get(operationId);
  if (record !== undefined) record.operation = next(record.operation);
};

const drop = (tables: MemoryTables, { claimKey, operationId }: ClaimRecord): void => {
  tables.claims.delete(claimKey);
  change(tables, operationId, (operation) =>
    operation.state === 'planned' ? { ...operation, state: 'superseded' } : operation,
  );
};

const targetMapping = (tables: MemoryTables, need: Need): Mapping | undefined => {
  const there = tables
    .mappingsOf(need.entityId)
    .filter((one) => one.sourceId === need.target && one.recordType === need.recordType);
  return (
    there.find(({ status }) => status === 'linked') ??
    there.find(({ status }) => status === 'tombstone')
  );
};

const claimOne = (
  request: ClaimRequest,
  decide: ClaimDecisions,
  tables: MemoryTables,
  world: WritesWorld,
): ClaimAnswer => {
  const { need, claimKey } = request;
  const entity = tables.entities.get(need.entityId);
  const mapping = targetMapping(tables, need);
  const plan =
    entity === undefined
      ? ({ kind: 'gone', reason: 'entity-unknown' } as const)
      : decide.plan(need, entity, mapping);
  const holder = tables.claims.get(claimKey);
  if (holder !== undefined) {
    const met = meet(request, holder, decide, tables, world);
    if (met !== 'take-over') return met;
    drop(tables, holder);
  }
  if (plan.kind === 'none') return { kind: 'linked', externalId: plan.externalId };
  if (plan.kind === 'gone' || entity === undefined)
    return { kind: 'gone', reason: plan.kind === 'gone' ? plan.reason : 'entity-unknown' };
  const planned = plannedOperation(need, plan, decide, tables);
  if (planned.kind === 'parked') return planned;
  const { operation } = planned;
  for (const record of tables.operations.values())
    if (
      record.operation.entityId === need.entityId &&
      record.operation.sourceId === need.target &&
      ['planned', 'deferred'].includes(record.operation.state)
    )
      record.operation = { ...record.operation, state: 'superseded' };
  tables.operations.set(operation.operationId, { operation, outcome: null, reason: '' });
  const claim: ClaimRecord = {
    claimKey,
    need,
    token: world.uuid(),
    state: 'claimed',
    operationId: operation.operationId,
    leaseUntilMs: world.nowMs() + request.claimedLeaseMs,
    request: null,
  };
  tables.claims.set(claimKey, claim);
  const { token } = claim;
  return { kind: 'write', token, claimKey, operation, entity, mapping: mapping ?? null };
};

const plannedOperation = (
  need: Need,
  plan: Extract<ReturnType<ClaimDecisions['plan']>, { kind: 'create' | 'update' }>,
  decide: ClaimDecisions,
  tables: MemoryTables,
):
  | { readonly kind: 'planned'; readonly operation: Operation }
  | Extract<ClaimAnswer, { kind: 'parked' }> => {
  const operationId = decide.operationIdOf(need, plan);
  const known = tables.operations.get(operationId);
  const before = known?.operation;
  if (before?.state === 'held')
    return { kind: 'parked', outcome: 'needs-review', reason: known?.reason ?? '' };
  if (before?.state === 'refused' && sameFields(before.fields, plan.fields))
    return { kind: 'parked', outcome: 'quarantined', reason: known?.reason ?? '' };
  const operation: Operation = {
    tenantId: need.tenantId,
    operationId,
    action: plan.kind,
    sourceId: need.target,
    recordType: need.recordType,
    entityId: need.entityId,
    externalId: plan.kind === 'update' ? plan.externalId : null,
    eventKey: before?.eventKey ?? need.eventKey,
    originSourceId: before?.originSourceId ?? need.originSourceId,
    fields: plan.fields,
    attempts: before?.attempts ?? 0,
    version: before?.version ?? 0,
    state: 'planned',
    traceparent: need.traceparent,
  };
  return { kind: 'planned', operation };
};

const sameFields = (a: Operation['fields'], b: Operation['fields']): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([field, value]) => b[field] === value);

const meet = (
  request: ClaimRequest,
  holder: ClaimRecord,
  decide: ClaimDecisions,
  tables: MemoryTables,
  world: WritesWorld,
): ClaimAnswer | 'take-over' => {
  const verdict = decide.held(holder, request.strongProbe);
  const { claimKey, need } = request;
  if (verdict.kind === 'wait') return { kind: 'wait', claimKey, untilMs: verdict.untilMs };
  const entity = tables.entities.get(need.entityId);
  const operation = tables.operations.get(holder.operationId)?.operation;
  if (verdict.kind === 'take-over' || entity === undefined || operation === undefined)
    return 'take-over';
  holder.token = world.uuid();
  holder.leaseUntilMs = world.nowMs() + takenLeaseMs(verdict, request, decide.nowMs());
  const mapping = targetMapping(tables, need) ?? null;
  const held: HeldClaim = { token: holder.token, claimKey, operation, entity, mapping };
  return { ...verdict, ...held };
};

const settleAll = (
  settlements: readonly Settlement[],
  tables: MemoryTables,
  world: WritesWorld,
): Committed => {
  const refused = new Map<string, Refusal>();
  const outdated = new Set<string>();
  for (const settlement of settlements) {
    const { token, claimKey, operation } = settlement;
    const claim = tables.claims.get(claimKey);
    const record = tables.operations.get(operation.operationId);
    if (claim?.token !== token || record?.operation.version !== operation.version) {
      refused.set(token, 'overtaken');
      continue;
    }
    if (settlement.release) tables.claims.delete(claimKey);
    const isLinked =
      settlement.mapping === null || link(settlement.mapping, operation, tables, world);
    if (!isLinked) refused.set(token, 'mapped-elsewhere');
    const told = isLinked ? settlement.messages : settlement.ifTaken;
    record.operation = {
      ...record.operation,
      state: isLinked ? settlement.state : 'held',
      version: operation.version + (told.length > 0 ? 1 : 0),
      externalId: settlement.mapping?.externalId ?? record.operation.externalId,
    };
    record.outcome = isLinked ? settlement.outcome : 'needs-review';
    record.reason = isLinked ? settlement.reason : recordTaken;
    tables.outbox.push(...told);
    if (settlement.release) wake(claimKey, tables, world.nowMs());
    const now = tables.entities.get(operation.entityId)?.version;
    if (settlement.entityVersion !== null && now !== settlement.entityVersion) outdated.add(token);
  }
  return { refused, outdated };
};

const survivorOf = (entityId: EntityId, tables: MemoryTables): EntityId => {
  const next = tables.entities.get(entityId)?.mergedInto;
  return next ? survivorOf(next, tables) : entityId;
};

const link = (
  written: Mapping,
  { action, fields }: Operation,
  tables: MemoryTables,
  { tenantId }: WritesWorld,
): boolean => {
  const mapping = { ...written, entityId: survivorOf(written.entityId, tables) };
  const isTaken = [...tables.mappings.values()].some(
    (one) =>
      one.sourceId === mapping.sourceId &&
      one.recordType === mapping.recordType &&
      ((one.externalId === mapping.externalId && one.entityId !== mapping.entityId) ||
        (one.entityId === mapping.entityId &&
          one.externalId !== mapping.externalId &&
          one.status === 'linked')),
  );
  if (isTaken) return false;
  const before = tables
    .mappingsOf(mapping.entityId)
    .find((one) => one.externalId === mapping.externalId && one.sourceId === mapping.sourceId);
  // Only the fields of this write: a webhook may have told of others meanwhile.
  const wrote = Object.entries(mapping.base).filter(
    ([field]) => action === 'create' || Object.hasOwn(fields, field),
  );
  tables.saveMapping(
    tenantId,
    before === undefined
      ? mapping
      : {
          ...before,
          base: { ...before.base, ...Object.fromEntries(wrote) },
          versionToken: mapping.versionToken,
        },
  );
  return true;
};

const wake = (claimKey: string, tables: MemoryTables, nowMs: number): void => {
  for (const lane of tables.lanes.values())
    if (lane.waitingOn === claimKey && lane.isOpen && lane.owner === null) {
      lane.dueAtMs = nowMs;
      lane.waitingOn = null;
    }
};
