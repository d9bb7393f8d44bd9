import type { AssociateItem, RecordMap, WriteResult } from '@counterpart/crm-port';
import type { RecordType } from '@counterpart/sync-model';
import { writeBatches, type ItemVerdict } from './batch-write.js';
import type { BatchInput } from './batch-answer.js';
import type { Calls } from './caller.js';
import { associatePath } from './paths.js';
import { refusedAsUnmapped } from './refusals.js';
import { idAt, objectAt, type JsonObject } from './untrusted-json.js';

type MapOf = (recordType: RecordType) => RecordMap | undefined;

/**
 * Makes the default association of each pair, one call for each pair of types. Making it again
 * changes nothing, so a pair that is asked for twice is sent once and both get its verdict.
 */
export const associateRecords = async (
  items: readonly AssociateItem[],
  mapOf: MapOf,
  calls: Calls,
): Promise<readonly WriteResult[]> => {
  const results = new Map<AssociateItem, WriteResult>();
  for (const group of groupsOf(items, mapOf)) {
    const verdicts = await associateGroup(group, calls);
    for (const item of group.items) {
      results.set(item, resultOf(item, verdicts.get(pairOf(item.fromId, item.toId))));
    }
  }
  return items.map((item) => results.get(item) ?? refusedAsUnmapped);
};

interface Group {
  readonly fromObject: string;
  readonly toObject: string;
  readonly items: AssociateItem[];
}

const groupsOf = (items: readonly AssociateItem[], mapOf: MapOf): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const fromObject = mapOf(item.fromType)?.objectName;
    const toObject = mapOf(item.toType)?.objectName;
    if (fromObject === undefined || toObject === undefined) continue;
    const key = `${fromObject}/${toObject}`;
    const group = groups.get(key) ?? { fromObject, toObject, items: [] };
    groups.set(key, group);
    group.items.push(item);
  }
  return [...groups.values()];
};

const pairOf = (fromId: string, toId: string): string => `${fromId}>${toId}`;

const associateGroup = async (
  { fromObject, toObject, items }: Group,
  calls: Calls,
): Promise<ReadonlyMap<string, ItemVerdict>> => {
  const inputs = new Map<string, BatchInput>();
  for (const { fromId, toId } of items) {
    const pair = pairOf(fromId, toId);
    inputs.set(pair, {
      traceId: pair,
      key: pair,
      body: { from: { id: fromId }, to: { id: toId } },
    });
  }
  const verdicts = await writeBatches(
    [...inputs.values()],
    {
      path: associatePath(fromObject, toObject),
      // The id of a merged record comes back as its survivor's, so a lone pair takes any entry.
      isResultOf: (entry, input, isOnlyInput) => isOnlyInput || pairOfEntry(entry) === input.key,
      isRepeatable: true,
    },
    calls,
  );
  return new Map([...inputs.keys()].map((pair, index) => [pair, verdicts[index] ?? unknown]));
};

const unknown: ItemVerdict = { kind: 'unknown', code: 'no-verdict' };

/** HubSpot answers each direction with an entry; only the one that was asked for counts. */
const pairOfEntry = (entry: JsonObject): string | undefined => {
  const from = objectAt(entry, 'from');
  const to = objectAt(entry, 'to');
  return from && to && pairOf(idAt(from, 'id') ?? '', idAt(to, 'id') ?? '');
};

const resultOf = (item: AssociateItem, verdict: ItemVerdict = unknown): WriteResult =>
  verdict.kind === 'entry'
    ? {
        kind: 'confirmed',
        externalId: item.fromId,
        stored: {},
        versionToken: null,
        created: null,
      }
    : verdict;
