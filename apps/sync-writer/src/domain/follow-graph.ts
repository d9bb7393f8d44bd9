import type { EntityId, ExternalId, SourceEvent, SourceId } from '@counterpart/sync-model';
import type { Cause, IdentityGraph } from './identity-graph.js';
import type { Resolution } from './decide-identity.js';
import type { Entity, Mapping } from './work.js';

/**
 * A record was deleted or erased at its source. Its mapping becomes a tombstone, which no late
 * event lifts. The entity ends with its last record at a CRM; nothing is deleted elsewhere.
 */
export const buryRecord = (
  event: SourceEvent,
  graph: IdentityGraph,
  cause: Cause,
  isCrm: (sourceId: SourceId) => boolean,
): Resolution => {
  const mapping = graph.record(event.sourceId, event.recordType, event.externalId);
  const entity = mapping === undefined ? undefined : graph.entity(mapping.entityId);
  if (mapping === undefined || entity === undefined)
    return { kind: 'settled', entityId: null, outcome: 'no-op', reason: 'unknown-record' };
  // The id of a record that was merged away says nothing about the survivor.
  if (mapping.status === 'alias')
    return { kind: 'settled', entityId: entity.entityId, outcome: 'no-op', reason: 'merged-away' };
  if (mapping.status !== 'tombstone') {
    graph.map({ ...mapping, status: 'tombstone' }, entity.entityType, cause);
    const left = graph
      .mappingsOf(entity.entityId)
      .filter((other) => other.status === 'linked' && other.sourceId !== event.sourceId);
    const isLast = !left.some((other) => isCrm(other.sourceId) || !isCrm(event.sourceId));
    if (isLast && entity.status === 'live') {
      const status = event.kind === 'erased' ? 'erased' : 'deleted';
      graph.change(
        { ...entity, status, fields: event.kind === 'erased' ? {} : entity.fields },
        status,
        {},
        cause,
      );
    }
  }
  return {
    kind: 'settled',
    entityId: entity.entityId,
    outcome: 'applied',
    reason: `record-${event.kind}`,
  };
};

/**
 * Records were merged at a source: every id it names leads to the survivor's entity from now on,
 * whichever of them it was (a third, new id included). The losers' own entities join it with their
 * keys and their records elsewhere; a record that cannot be joined there (the survivor has one
 * already) becomes an alias, so that its events still find the one entity.
 */
export const mergeRecords = (event: SourceEvent, graph: IdentityGraph, cause: Cause): void => {
  const survivorId = event.merge?.survivorId ?? event.externalId;
  const loserIds = (event.merge?.loserIds ?? []).filter((id) => id !== survivorId);
  const mappingOf = (id: ExternalId) => graph.record(event.sourceId, event.recordType, id);
  const losers = loserIds.flatMap((id) => mappingOf(id) ?? []);
  const winnerMapping = mappingOf(survivorId) ?? losers[0];
  const winner = winnerMapping === undefined ? undefined : graph.entity(winnerMapping.entityId);
  if (winner === undefined || winnerMapping === undefined) return;
  const winnerId = winner.entityId;
  for (const id of loserIds) {
    const loser = mappingOf(id);
    const joined = loser === undefined ? undefined : graph.entity(loser.entityId);
    graph.map(aliasOf(event, id, winnerId, loser), winner.entityType, cause);
    if (joined !== undefined && joined.entityId !== winnerId)
      joinEntity(joined, winner, graph, cause);
  }
  graph.map(
    {
      ...winnerMapping,
      externalId: survivorId,
      entityId: winnerId,
      status: 'linked',
    },
    winner.entityType,
    cause,
  );
};

const aliasOf = (
  event: SourceEvent,
  externalId: ExternalId,
  entityId: EntityId,
  before: Mapping | undefined,
): Mapping => ({
  sourceId: event.sourceId,
  recordType: event.recordType,
  externalId,
  entityId,
  status: 'alias',
  origin: before?.origin ?? 'observed',
  base: {},
  versionToken: null,
  exclusive: true,
});

const joinEntity = (loser: Entity, winner: Entity, graph: IdentityGraph, cause: Cause): void => {
  for (const mapping of graph.mappingsOf(loser.entityId)) {
    const taken =
      graph.linkedAt(winner.entityId, mapping.sourceId, mapping.recordType) !== undefined;
    const status = mapping.status === 'linked' && taken ? 'alias' : mapping.status;
    graph.map({ ...mapping, entityId: winner.entityId, status }, winner.entityType, cause);
  }
  for (const keyHash of graph.keysOf(loser.entityId))
    graph.moveKey({
      entityType: winner.entityType,
      keyHash,
      entityId: winner.entityId,
      how: 'move',
    });
  graph.change({ ...loser, status: 'merged', mergedInto: winner.entityId }, 'merged', {}, cause);
};
