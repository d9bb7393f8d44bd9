import type { SourceId } from '@counterpart/sync-model';
import type { WriteResult } from '@counterpart/crm-port';
import type { NeedOutcome } from '../domain/work.js';
import type { Edge, EdgeStore, Sources } from './ports.js';

/**
 * Associates records at their sources, each pair once. Making an association that exists changes
 * nothing at a CRM, so an answer that got lost is simply asked for again. Answers only sources with
 * an association that could not be made now, and how to go on.
 */
export const associate = async (
  wanted: readonly Edge[],
  ports: { readonly edges: EdgeStore; readonly sources: Sources },
): Promise<ReadonlyMap<SourceId, NeedOutcome>> => {
  const distinct = [...new Map(wanted.map((edge) => [JSON.stringify(edge), edge])).values()];
  const missing = distinct.length === 0 ? [] : await ports.edges.missing(distinct);
  const bySource = new Map<SourceId, Edge[]>();
  for (const edge of missing)
    bySource.set(edge.sourceId, [...(bySource.get(edge.sourceId) ?? []), edge]);
  const outcomes = await Promise.all(
    [...bySource].map(
      async ([sourceId, edges]) => [sourceId, await associateAt(edges, ports)] as const,
    ),
  );
  return new Map(
    outcomes.flatMap(([id, outcome]) => (outcome === null ? [] : [[id, outcome] as const])),
  );
};

const associateAt = async (
  edges: readonly Edge[],
  ports: { readonly edges: EdgeStore; readonly sources: Sources },
): Promise<NeedOutcome | null> => {
  const first = edges[0];
  if (first === undefined) return null;
  const source = await ports.sources.open(first.tenantId, first.sourceId);
  if (!source.ok)
    return { kind: 'defer', retryAtMs: source.retryAtMs, counts: true, reason: source.code };
  const results = await source.adapter.associate(edges);
  const made = edges.filter((_, index) => results[index]?.kind === 'confirmed');
  if (made.length > 0) await ports.edges.record(made);
  return worstOf(edges.map((_, index) => results[index]));
};

/** Refusals of an association are final and park nothing: the records themselves are there. */
const worstOf = (results: readonly (WriteResult | undefined)[]): NeedOutcome | null => {
  const open = results.find(
    (result) => result === undefined || !['confirmed', 'refused'].includes(result.kind),
  );
  if (open === undefined && results.every((result) => result !== undefined)) return null;
  return {
    kind: 'defer',
    retryAtMs: open?.kind === 'throttled' ? open.retryAtMs : null,
    counts: !(open?.kind === 'throttled' && open.code === 'quota'),
    reason:
      open !== undefined && 'code' in open ? `associate-${open.code}` : 'associate-unanswered',
  };
};
