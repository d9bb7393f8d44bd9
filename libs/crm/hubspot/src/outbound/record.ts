import type { FoundRecord, RecordMap } from '@counterpart/crm-port';
import { asExternalId } from '@counterpart/sync-model';
import { fieldOfProperty, toFields, type StoredProperties } from './translate.js';
import type { Failure } from './classify.js';
import { idAt, objectAt, textAt, type JsonObject } from './untrusted-json.js';

/** One record of an answer, checked: an id and texts. */
export interface HubspotRecord {
  readonly id: string;
  readonly properties: StoredProperties;
  readonly archived: boolean;
  /** Upsert only: true when the record was made by this call. */
  readonly isNew: boolean | null;
  readonly traceId: string | null;
}

/** Undefined for an entry without id or properties: an answer that says nothing of its item. */
export const recordOf = (entry: JsonObject): HubspotRecord | undefined => {
  const id = idAt(entry, 'id');
  const properties = objectAt(entry, 'properties');
  if (id === undefined || properties === undefined) return undefined;
  const isNew = entry['new'];
  return {
    id,
    properties: textsOnly(properties),
    archived: entry['archived'] === true,
    isNew: typeof isNew === 'boolean' ? isNew : null,
    traceId: textAt(entry, 'objectWriteTraceId') ?? null,
  };
};

const textsOnly = (properties: JsonObject): StoredProperties =>
  Object.fromEntries(
    Object.entries(properties).filter(
      (entry): entry is [string, string | null] =>
        entry[1] === null || typeof entry[1] === 'string',
    ),
  );

/** HubSpot has no version token: nothing on a record changes with every write and can be compared. */
export const foundRecord = (map: RecordMap, record: HubspotRecord): FoundRecord => ({
  externalId: asExternalId(record.id),
  stored: toFields(map, record.properties),
  versionToken: null,
  archived: record.archived,
});

/** The same failure, with the canonical name of the field it is about. */
export const withCanonicalField = (map: RecordMap, failure: Failure): Failure =>
  failure.kind === 'refused' ? { ...failure, field: fieldOfProperty(map, failure.field) } : failure;
