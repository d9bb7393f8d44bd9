import type { FoundRecord, ReadResult } from '@counterpart/crm-port';
import { recordKey, type Clock, type ExternalId, type SourceEvent } from '@counterpart/sync-model';
import { sourcePlanOf, type SyncPlan } from '@counterpart/sync-plan';
import type { Arrival } from '../domain/decide-identity.js';
import type { WorkItem } from '../domain/work.js';
import type { IdentityStore, Sources } from './ports.js';

/** An item ready for the identity graph, or what keeps it from it. */
export type Hydrated =
  | { readonly kind: 'arrival'; readonly item: WorkItem; readonly arrival: Arrival }
  | { readonly kind: 'moot'; readonly item: WorkItem; readonly reason: string }
  | {
      readonly kind: 'unreadable';
      readonly item: WorkItem;
      readonly code: string;
      readonly retryAtMs: number | null;
    };

/**
 * Fills in what an event does not carry. A hint says only that something changed; a change of a
 * record nobody knows yet carries one field, and its match keys have to be read. A deletion of a
 * known record is looked at too: the loser of a merge is told as deleted, and still leads by its id
 * to the survivor, whichever of the two statements comes first.
 */
export const hydrate = async (
  items: readonly WorkItem[],
  plan: SyncPlan,
  ports: { readonly identity: IdentityStore; readonly sources: Sources; readonly clock: Clock },
): Promise<readonly Hydrated[]> => {
  const isCrm = (event: SourceEvent) => sourcePlanOf(plan, event.sourceId)?.kind === 'crm';
  const known = await ports.identity.known({
    tenantId: plan.tenantId,
    records: items
      .map(({ operation }) => operation.event)
      .filter(isCrm)
      .map((event) => ({ ...event })),
  });
  const toRead = items.filter(
    ({ operation: { event } }) => isCrm(event) && needsReading(event, known.has(recordKey(event))),
  );
  const readAtMs = ports.clock.nowMs();
  const read = await readAll(toRead, ports.sources);
  return items.map((item) => hydrated(item, read.get(item), readAtMs));
};

const needsReading = (event: SourceEvent, isKnown: boolean): boolean => {
  switch (event.kind) {
    case 'deleted':
      return isKnown;
    case 'erased':
    case 'readback':
    case 'associated':
      return false;
    case 'created':
    case 'changed':
    case 'restored':
    case 'merged':
      return event.shape === 'hint' || !isKnown;
    default:
      return event.kind satisfies never;
  }
};

/** The record to read: after a merge it is the survivor that speaks. */
const recordOf = (event: SourceEvent): ExternalId => event.merge?.survivorId ?? event.externalId;

const readAll = async (
  items: readonly WorkItem[],
  sources: Sources,
): Promise<ReadonlyMap<WorkItem, ReadResult>> => {
  const groups = new Map<string, WorkItem[]>();
  for (const item of items) {
    const { sourceId, recordType } = item.operation.event;
    const key = `${sourceId}\u001f${recordType}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const results = new Map<WorkItem, ReadResult>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      for (const [item, result] of await readGroup(group, sources)) results.set(item, result);
    }),
  );
  return results;
};

const readGroup = async (
  group: readonly WorkItem[],
  sources: Sources,
): Promise<readonly (readonly [WorkItem, ReadResult])[]> => {
  const event = group[0]?.operation.event;
  if (event === undefined) return [];
  const source = await sources.open(event.tenantId, event.sourceId);
  if (!source.ok)
    return group.map((item) => [
      item,
      { kind: 'unreadable', code: source.code, retryAtMs: source.retryAtMs },
    ]);
  const ids = [...new Set(group.map(({ operation }) => recordOf(operation.event)))];
  const answers = await source.adapter.read(event.recordType, ids);
  return group.map((item) => [
    item,
    answers[ids.indexOf(recordOf(item.operation.event))] ?? {
      kind: 'unreadable',
      code: 'read-unanswered',
      retryAtMs: null,
    },
  ]);
};

const hydrated = (item: WorkItem, read: ReadResult | undefined, readAtMs: number): Hydrated => {
  const { event } = item.operation;
  const arrival = (seen: SourceEvent): Hydrated => ({
    kind: 'arrival',
    item,
    arrival: {
      event: seen,
      ...(seen === event ? {} : { readAtMs, stated: event.fields }),
      traceparent: item.traceparent,
    },
  });
  if (read === undefined) return arrival(event);
  if (read.kind === 'unreadable')
    return { kind: 'unreadable', item, code: read.code, retryAtMs: read.retryAtMs };
  const record = read.kind === 'found' && !read.record.archived ? read.record : null;
  if (event.kind === 'deleted') {
    if (record === null) return arrival(event);
    return record.externalId === event.externalId
      ? { kind: 'moot', item, reason: 'record-lives' }
      : arrival(mergedInto(event, record));
  }
  return record === null
    ? { kind: 'moot', item, reason: 'record-gone' }
    : arrival({
        ...event,
        shape: 'snapshot',
        externalId: recordOf(event),
        fields: record.stored,
      });
};

/** A deleted id that leads to another record was merged into it. */
const mergedInto = (event: SourceEvent, survivor: FoundRecord): SourceEvent => ({
  ...event,
  kind: 'merged',
  shape: 'snapshot',
  externalId: survivor.externalId,
  fields: survivor.stored,
  merge: { survivorId: survivor.externalId, loserIds: [event.externalId] },
});
