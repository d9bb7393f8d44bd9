import type { RecordMap } from '@counterpart/crm-port';
import {
  normaliseValue,
  type FieldType,
  type FieldValue,
  type Fields,
} from '@counterpart/sync-model';

/** HubSpot's properties of one record. Every value is a text, whatever the property's type. */
export type Properties = Readonly<Record<string, string>>;
export type StoredProperties = Readonly<Record<string, string | null>>;

/**
 * One canonical value as HubSpot takes it. Clearing is the empty text. An instant goes as
 * milliseconds, which no zone setting can move; a date stays a date.
 */
export const toPropertyText = (type: FieldType, value: FieldValue): string => {
  if (value === null) return '';
  if (type.type !== 'instant') return String(value);
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value);
  return Number.isNaN(ms) ? String(value) : String(ms);
};

/**
 * One stored text as canonical value. What does not fit the declared type (a person typed "ask Bob"
 * into the phone number) is kept as it is: it is what the CRM stores, and it differs from any value
 * of ours, as it should.
 */
export const fromPropertyText = (type: FieldType, text: string | null): FieldValue => {
  const result = normaliseValue(type, text);
  return result.ok ? result.value : text;
};

/** Properties of the mapped fields; what the map does not know is not HubSpot's business. */
export const toProperties = (map: RecordMap, fields: Fields): Properties => {
  const entries = map.fields
    .filter(({ field }) => Object.hasOwn(fields, field))
    .map(({ field, property, fieldType }): [string, string] => [
      property,
      toPropertyText(fieldType, fields[field] ?? null),
    ]);
  return withTimestamp(Object.fromEntries(entries));
};

/** For a create: what is empty is left out, since an empty text would be a change of its own. */
export const toNewProperties = (map: RecordMap, fields: Fields): Properties =>
  Object.fromEntries(Object.entries(toProperties(map, fields)).filter(([, text]) => text !== ''));

const startProperty = 'hs_meeting_start_time';

/** A meeting is placed in the timeline by `hs_timestamp`, which HubSpot demands beside the start. */
const withTimestamp = (properties: Properties): Properties => {
  const start = properties[startProperty];
  return start ? { ...properties, hs_timestamp: start } : properties;
};

/**
 * The mapped fields as far as an answer tells them. A property that was sent and is missing from
 * the answer was cleared if it was sent empty; otherwise nothing is known of it and it is left out.
 */
export const toFields = (map: RecordMap, stored: StoredProperties, sent: Fields = {}): Fields => {
  const entries: [string, FieldValue][] = [];
  for (const { field, property, fieldType } of map.fields) {
    if (Object.hasOwn(stored, property)) {
      entries.push([field, fromPropertyText(fieldType, stored[property] ?? null)]);
    } else if (Object.hasOwn(sent, field) && sent[field] === null) entries.push([field, null]);
  }
  return Object.fromEntries(entries);
};

/** Names of all mapped properties, each once: what reads ask for. */
export const mappedProperties = (map: RecordMap): readonly string[] => [
  ...new Set(map.fields.map(({ property }) => property)),
];

/** Canonical name of a property in a refusal, so that nobody above speaks HubSpot. */
export const fieldOfProperty = (map: RecordMap, property: string | null): string | null =>
  map.fields.find((field) => field.property === property)?.field ?? null;
