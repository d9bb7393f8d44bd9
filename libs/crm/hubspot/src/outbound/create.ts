import type { CreateItem, WriteResult } from '@counterpart/crm-port';
import { asExternalId, type ExternalId } from '@counterpart/sync-model';
import { writeBatches, type ItemVerdict } from './batch-write.js';
import type { BatchInput } from './batch-answer.js';
import type { Calls } from './caller.js';
import { markerKeyOf, matchKeyOf, uniqueKeyOf, type ItemKey } from './keys.js';
import { lookUp } from './look-up.js';
import type { Offer } from './offers.js';
import { batchPath } from './paths.js';
import { recordOf, withCanonicalField, type HubspotRecord } from './record.js';
import { toFields, toNewProperties } from './translate.js';

/**
 * Creates by the strongest path the portal offers. A record that is already there is named, so that
 * it can be adopted: by HubSpot's own answer, or by one look at the key that stands in the way.
 */
export const createRecords = async (
  items: readonly CreateItem[],
  offer: Offer,
  calls: Calls,
): Promise<readonly WriteResult[]> => {
  const isUpsert = offer.createPath === 'unique-upsert';
  const inputs = items.map((item, index) => inputOf(item, String(index), offer));
  const verdicts = await writeBatches(
    inputs,
    {
      path: batchPath(offer.map.objectName, isUpsert ? 'upsert' : 'create'),
      isResultOf: (entry, input, isOnlyInput) => {
        const record = recordOf(entry);
        if (record === undefined) return false;
        if (record.traceId !== null) return record.traceId === input.traceId;
        return isOnlyInput || holdsKey(record, items[Number(input.traceId)], offer);
      },
      // An upsert by our own key is the same however often it is sent.
      isRepeatable: isUpsert,
    },
    calls,
  );
  const results = items.map((item, index) => resultOf(item, verdicts[index], offer));
  return nameExisting(items, results, offer, calls);
};

/** Any key will do to tell results apart; only a unique one is also kept apart by HubSpot. */
const inputKeyOf = (item: CreateItem, offer: Offer): ItemKey | null =>
  uniqueKeyOf(offer, item) ?? markerKeyOf(offer.map, item) ?? matchKeyOf(offer.map, item);

const inputOf = (item: CreateItem, traceId: string, offer: Offer): BatchInput => {
  const own = offer.createPath === 'unique-upsert' ? uniqueKeyOf(offer, item) : null;
  const marker = offer.createPath === 'search-only' ? markerKeyOf(offer.map, item) : null;
  const properties = Object.fromEntries([
    ...Object.entries(toNewProperties(offer.map, item.fields)),
    ...[own, marker].flatMap((key) => (key === null ? [] : [[key.property, key.value]])),
  ]) as Record<string, string>;
  return {
    traceId,
    key: inputKeyOf(item, offer)?.value.toLowerCase() ?? null,
    body: {
      ...(own === null ? {} : { id: own.value, idProperty: own.property }),
      properties,
      objectWriteTraceId: traceId,
    },
  };
};

const holdsKey = (record: HubspotRecord, item: CreateItem | undefined, offer: Offer): boolean => {
  const key = item === undefined ? null : inputKeyOf(item, offer);
  return key !== null && record.properties[key.property]?.toLowerCase() === key.value.toLowerCase();
};

const resultOf = (
  item: CreateItem,
  verdict: ItemVerdict | undefined,
  { map, createPath }: Offer,
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
    created: createPath === 'unique-upsert' ? record.isNew : true,
  };
};

const isUnnamed = (result: WriteResult): boolean =>
  result.kind === 'refused' && result.code === 'already-exists' && result.existingId === null;

/** Looks up, in one call, the records that stand in the way and that no answer named. */
const nameExisting = async (
  items: readonly CreateItem[],
  results: readonly WriteResult[],
  offer: Offer,
  calls: Calls,
): Promise<readonly WriteResult[]> => {
  const keyOf = (index: number): ItemKey | null => {
    const item = items[index];
    const result = results[index];
    return item && result && isUnnamed(result) ? uniqueKeyOf(offer, item) : null;
  };
  const keys = items.map((_item, index) => keyOf(index)).filter((key) => key !== null);
  const [first] = keys;
  if (first === undefined) return results;
  const values = keys.map((key) => key.value);
  const found = await lookUp(
    values,
    {
      objectName: offer.map.objectName,
      idProperty: first.property,
      archived: false,
      properties: [],
    },
    () => calls,
  );
  const ids = new Map<string, ExternalId>();
  found.forEach((answer, index) => {
    const value = values[index];
    if (answer.kind === 'found' && value !== undefined) {
      ids.set(value, asExternalId(answer.record.id));
    }
  });
  return results.map((result, index) => {
    const existingId = ids.get(keyOf(index)?.value ?? '');
    return result.kind === 'refused' && existingId !== undefined
      ? { ...result, existingId }
      : result;
  });
};
