import type { CreateItem, FindResult, RecordMap } from '@counterpart/crm-port';
import type { BeginCalls } from './caller.js';
import { matchKeyOf, type ItemKey } from './keys.js';
import { lookUp } from './look-up.js';
import type { Offer } from './offers.js';
import { asRead } from './read.js';
import { foundRecord } from './record.js';
import { searchByValue } from './search.js';
import { mappedProperties } from './translate.js';
import { unreadable } from './unread.js';

/**
 * By match field, among the live records: contacts strongly consistent by address, others by
 * search. `absent` for an item without any match value: there is nothing to link it by.
 */
export const findRecords = async (
  items: readonly CreateItem[],
  offer: Offer,
  begin: BeginCalls,
): Promise<readonly FindResult[]> =>
  byKeys(
    items.map((item) => matchKeyOf(offer.map, item)),
    offer,
    begin,
    { kind: 'absent' },
  );

/** Keys of several properties, a null for an item that has none. In the order of the keys. */
export const byKeys = async (
  keys: readonly (ItemKey | null)[],
  offer: Offer,
  begin: BeginCalls,
  withoutKey: FindResult,
): Promise<readonly FindResult[]> => {
  const answers = new Map<ItemKey, FindResult>();
  for (const property of new Set(keys.map((key) => key?.property))) {
    const some = keys.filter((key) => key !== null && key.property === property) as ItemKey[];
    const isUnique = offer.createPath === 'conflict-adopt' && property === 'email';
    const found = isUnique
      ? await byUniqueValue(some, offer.map, begin)
      : await bySearch(some, offer.map, begin);
    some.forEach((key, index) => answers.set(key, found[index] ?? unreadable('no-verdict')));
  }
  return keys.map((key) => (key === null ? withoutKey : (answers.get(key) ?? withoutKey)));
};

/** All keys are of one property, which HubSpot keeps unique. */
export const byUniqueValue = async (
  keys: readonly ItemKey[],
  map: RecordMap,
  begin: BeginCalls,
): Promise<readonly FindResult[]> => {
  const [first] = keys;
  if (first === undefined) return [];
  const question = {
    objectName: map.objectName,
    idProperty: first.property,
    archived: false,
    properties: mappedProperties(map),
  };
  const found = await lookUp(
    keys.map(({ value }) => value),
    question,
    begin,
  );
  return found.map((answer) => asRead(answer, map));
};

/** All keys are of one property. */
const bySearch = async (
  keys: readonly ItemKey[],
  map: RecordMap,
  begin: BeginCalls,
): Promise<readonly FindResult[]> => {
  const [first] = keys;
  if (first === undefined) return [];
  const searched = await searchByValue(
    keys.map(({ value }) => value),
    { objectName: map.objectName, property: first.property, properties: mappedProperties(map) },
    begin,
  );
  return searched.map((answer): FindResult => {
    if (answer.kind === 'unreadable') return answer;
    const records = answer.records.map((record) => foundRecord(map, record));
    const [only] = records;
    if (only === undefined) return { kind: 'absent' };
    return records.length === 1 ? { kind: 'found', record: only } : { kind: 'ambiguous', records };
  });
};
