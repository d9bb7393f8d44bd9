import type { Connection, CreatePath, RecordCapabilities, RecordMap } from '@counterpart/crm-port';
import { batchMax } from './batch-write.js';

/** Whether a record type's own unique property can be used. */
export type UniqueKey = 'available' | 'unavailable';

export interface Offer {
  readonly map: RecordMap;
  readonly createPath: Extract<CreatePath, 'conflict-adopt' | 'unique-upsert' | 'search-only'>;
}

/**
 * HubSpot itself keeps the e-mail address of contacts unique, secondary addresses included. That
 * protects us only where the plan finds contacts by it.
 */
export const isUniqueByEmail = (map: RecordMap): boolean =>
  map.objectName === 'contacts' && emailFieldOf(map) !== undefined;

/** Canonical name of the field that holds the address contacts are unique by. */
export const emailFieldOf = (map: RecordMap): string | undefined =>
  map.fields.find(({ field, property }) => property === 'email' && map.matchFields.includes(field))
    ?.field;

/** Record types that are kept single by our own property, if the portal allows it. */
export const mapsWithOwnKey = ({ records }: Connection): readonly RecordMap[] =>
  records.filter((map) => !isUniqueByEmail(map));

export const offerOf = (map: RecordMap, uniqueKey: UniqueKey): Offer => ({
  map,
  createPath: isUniqueByEmail(map)
    ? 'conflict-adopt'
    : uniqueKey === 'available'
      ? 'unique-upsert'
      : 'search-only',
});

/**
 * What the writer may count on. A look before a create is for what people made by hand, where
 * HubSpot would not stop us from making it again.
 */
export const capabilitiesOf = ({ map, createPath }: Offer): RecordCapabilities => ({
  createPath,
  strongProbe: createPath !== 'search-only',
  findBeforeCreate: createPath !== 'conflict-adopt' && map.matchFields.length > 0,
  batchMax,
});
