import type { RecordMap, UpdateItem, WriteResult } from '@counterpart/crm-port';
import { asExternalId } from '@counterpart/sync-model';
import { writeBatches, type ItemVerdict } from './batch-write.js';
import type { Calls } from './caller.js';
import { batchPath } from './paths.js';
import { recordOf, withCanonicalField } from './record.js';
import { refusedAsEmpty } from './refusals.js';
import { toFields, toProperties } from './translate.js';

/**
 * Updates by record id. `expectedVersion` cannot be kept: HubSpot has no conditional write. A field
 * that is missing from an item stays as it is, null clears it.
 */
export const updateRecords = async (
  items: readonly UpdateItem[],
  map: RecordMap,
  calls: Calls,
): Promise<readonly WriteResult[]> => {
  const inputs = items
    .map((item, index) => inputOf(item, String(index), map))
    .filter(({ body }) => Object.keys(body.properties).length > 0);
  const verdicts = await writeBatches(
    inputs,
    {
      path: batchPath(map.objectName, 'update'),
      isResultOf: (entry, input, isOnlyInput) => {
        const record = recordOf(entry);
        if (record === undefined) return false;
        // By trace id first: the id of a merged record comes back as its survivor's.
        return record.traceId === null
          ? isOnlyInput || record.id === input.key
          : record.traceId === input.traceId;
      },
      isRepeatable: true,
    },
    calls,
  );
  const byTraceId = new Map(inputs.map(({ traceId }, index) => [traceId, verdicts[index]]));
  return items.map((item, index) =>
    byTraceId.has(String(index))
      ? resultOf(item, byTraceId.get(String(index)), map)
      : refusedAsEmpty,
  );
};

const inputOf = (item: UpdateItem, traceId: string, map: RecordMap) => ({
  traceId,
  key: item.externalId,
  body: {
    id: item.externalId,
    properties: toProperties(map, item.fields),
    objectWriteTraceId: traceId,
  },
});

const resultOf = (
  item: UpdateItem,
  verdict: ItemVerdict | undefined,
  map: RecordMap,
): WriteResult => {
  if (verdict === undefined) return { kind: 'unknown', code: 'no-verdict' };
  if (verdict.kind !== 'entry') return withCanonicalField(map, verdict);
  const record = recordOf(verdict.entry);
  if (record === undefined) return { kind: 'unknown', code: 'no-verdict' };
  return {
    kind: 'confirmed',
    externalId: asExternalId(record.id),
    stored: toFields(map, record.properties, item.fields),
    versionToken: null,
    created: false,
  };
};
