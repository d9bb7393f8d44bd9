import type { CreateItem, RecordMap } from '@counterpart/crm-port';
import { markerPropertyOf, markerText, uniqueKeyProperty } from '../object-types.js';
import { emailFieldOf, type Offer } from './offers.js';
import { toPropertyText } from './translate.js';

/** A property and the value by which one item's record is known there. */
export interface ItemKey {
  readonly property: string;
  readonly value: string;
}

/** Value that HubSpot itself keeps unique for this item; null when it holds none. */
export const uniqueKeyOf = ({ map, createPath }: Offer, item: CreateItem): ItemKey | null => {
  switch (createPath) {
    case 'conflict-adopt':
      return fieldKey(map, emailFieldOf(map), item);
    case 'unique-upsert':
      return { property: uniqueKeyProperty, value: item.marker };
    case 'search-only':
      return null;
    default:
      return createPath satisfies never;
  }
};

/** Where the marker goes on a create that nothing keeps unique; null where no property can hold it. */
export const markerKeyOf = (map: RecordMap, { marker }: CreateItem): ItemKey | null => {
  const property = markerPropertyOf(map.objectName);
  // A plan that maps the property owns it: a marker would be read as somebody's edit.
  const isMapped = map.fields.some((field) => field.property === property);
  return property === undefined || isMapped ? null : { property, value: markerText(marker) };
};

/** The strongest match field that holds a value. */
export const matchKeyOf = (map: RecordMap, item: CreateItem): ItemKey | null => {
  for (const field of map.matchFields) {
    const key = fieldKey(map, field, item);
    if (key !== null) return key;
  }
  return null;
};

const fieldKey = (
  map: RecordMap,
  field: string | undefined,
  { fields }: CreateItem,
): ItemKey | null => {
  const mapped = map.fields.find((candidate) => candidate.field === field);
  const value =
    field !== undefined && Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
  if (mapped === undefined || value === null) return null;
  return { property: mapped.property, value: toPropertyText(mapped.fieldType, value) };
};
