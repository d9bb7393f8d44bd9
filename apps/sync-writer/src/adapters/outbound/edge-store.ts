import type { Db } from '@counterpart/platform-postgres';
import type { Edge, EdgeStore } from '../../application/ports.js';

const columns = 'tenant_id, source_id, from_type, from_id, to_type, to_id';
const rowsSql = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as e(${columns})`;

const params = (edges: readonly Edge[]): unknown[] => [
  edges.map(({ tenantId }) => tenantId),
  edges.map(({ sourceId }) => sourceId),
  edges.map(({ fromType }) => fromType),
  edges.map(({ fromId }) => fromId),
  edges.map(({ toType }) => toType),
  edges.map(({ toId }) => toId),
];

/** Associations made at targets, in PostgreSQL. */
export const createEdgeStore = (db: Db): EdgeStore => ({
  async missing(edges) {
    const rows = await db.query<{ place: number }>(
      `select (e.place - 1)::int as place
         from ${rowsSql.replace('as e(', 'with ordinality as e(').replace('to_id)', 'to_id, place)')}
        where not exists (
          select 1 from sync.edges k
           where (k.tenant_id, k.source_id, k.from_type, k.from_id, k.to_type, k.to_id)
               = (e.tenant_id, e.source_id, e.from_type, e.from_id, e.to_type, e.to_id))`,
      params(edges),
    );
    return rows.flatMap(({ place }) => edges[place] ?? []);
  },
  async record(edges) {
    await db.query(
      `insert into sync.edges (${columns})
       select ${columns} from ${rowsSql} order by ${columns}
       on conflict do nothing`,
      params(edges),
    );
  },
});
