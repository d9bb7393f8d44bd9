import { recordKey, type EntityId, type TenantId } from '@counterpart/sync-model';
import type { HeldLane, IdentityStore } from '../application/ports.js';
import type {
  IdentityChanges,
  IdentityRequest,
  IdentitySnapshot,
} from '../domain/identity-snapshot.js';
import type { Entity } from '../domain/work.js';
import type { MemoryTables } from './memory-tables.js';

/** The identity store over tables in memory. */
export const memoryIdentity = (tables: MemoryTables, hasEpochs: boolean): IdentityStore => ({
  known({ records }) {
    const found = records.flatMap((ref) => {
      const mapping = tables.mappings.get(recordKey(ref));
      return mapping === undefined ? [] : [[recordKey(ref), mapping] as const];
    });
    return Promise.resolve(new Map(found));
  },
  transact(request, lanes, decide) {
    const held = new Set(
      lanes.filter((lane) => !hasEpochs || isHeld(tables, lane)).map(({ laneId }) => laneId),
    );
    const { changes, result } = decide(snapshotOf(tables, request), held);
    saveAll(tables, request.tenantId, changes);
    return Promise.resolve(result);
  },
});

const isHeld = (tables: MemoryTables, { laneId, epoch }: HeldLane): boolean =>
  String(tables.lanes.get(laneId)?.epoch) === epoch;

const snapshotOf = (tables: MemoryTables, request: IdentityRequest): IdentitySnapshot => {
  const asked = [
    ...request.records.flatMap((ref) => tables.mappings.get(recordKey(ref))?.entityId ?? []),
    ...request.keys.flatMap(({ keyHash }) => tables.keys.get(keyHash) ?? []),
  ];
  const entities = new Map<EntityId, Entity>();
  for (const entityId of asked) reach(tables, entityId, entities);
  const mappings = [...entities.keys()].flatMap((entityId) => tables.mappingsOf(entityId));
  const wanted = new Set(request.keys.map(({ keyHash }) => keyHash));
  return {
    entities,
    mappings,
    records: new Map(
      mappings.map((one) => [recordKey({ tenantId: request.tenantId, ...one }), one]),
    ),
    keys: new Map(
      [...tables.keys].filter(
        ([hash, owner]) => wanted.has(hash) || (request.withAllKeys && entities.has(owner)),
      ),
    ),
    sending: [...tables.claims.values()]
      .filter(({ state, need }) => state === 'sending' && request.origins.includes(need.target))
      .map(({ need, claimKey, leaseUntilMs, request: sent }) => ({
        sourceId: need.target,
        recordType: need.recordType,
        entityId: need.entityId,
        claimKey,
        untilMs: Math.max(leaseUntilMs, sent?.settleAtMs ?? 0),
      })),
  };
};

const reach = (tables: MemoryTables, entityId: EntityId, reached: Map<EntityId, Entity>): void => {
  const entity = tables.entities.get(entityId);
  if (entity === undefined || reached.has(entityId)) return;
  reached.set(entityId, entity);
  if (entity.mergedInto !== null) reach(tables, entity.mergedInto, reached);
};

const saveAll = (tables: MemoryTables, tenantId: TenantId, changes: IdentityChanges): void => {
  for (const { keyHash, entityId, how } of changes.keys) {
    if (how === 'remove') tables.keys.delete(keyHash);
    else tables.keys.set(keyHash, entityId);
  }
  for (const entity of [...changes.newEntities, ...changes.entities])
    tables.entities.set(entity.entityId, entity);
  for (const { takenFrom: _takenFrom, ...mapping } of changes.mappings)
    tables.saveMapping(tenantId, mapping);
  for (const { traceparent, ...value } of changes.entityChanges)
    tables.outbox.push({ topic: 'counterpart.entity-changes.v1', value, traceparent });
  for (const { traceparent, ...value } of changes.mappingMessages)
    tables.outbox.push({ topic: 'counterpart.mappings.v1', value, traceparent });
};
