import type { EntityId } from '@counterpart/sync-model';
import type { Tx } from '@counterpart/platform-postgres';
import type { ClaimRequest } from '../../application/ports.js';
import type { Entity, Mapping } from '../../domain/work.js';
import {
  entitySql,
  mappingColumns,
  toEntity,
  toMapping,
  type EntityRow,
  type MappingRow,
} from './identity-rows.js';

/** Entities of a batch of claim requests, and their records at the target. */
export interface GraphPart {
  readonly entities: ReadonlyMap<EntityId, Entity>;
  readonly mappings: ReadonlyMap<string, Mapping>;
}

/** All requests are of one tenant, target and record type. */
export const readWorld = async (tx: Tx, requests: readonly ClaimRequest[]): Promise<GraphPart> => {
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
