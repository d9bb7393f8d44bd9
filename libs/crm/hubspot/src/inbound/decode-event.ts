import type { InboundSource, RawChange, RecordMap } from '@counterpart/crm-port';
import {
  normaliseValue,
  type ChangeKind,
  type ExternalId,
  type FieldValue,
  type Fields,
  type MergeStatement,
  type Shape,
} from '@counterpart/sync-model';
import { objectOfTypeId, objectOfWord } from '../object-types.js';
import {
  idAt,
  identityOf,
  idsAt,
  occurredAtOf,
  originDetailOf,
  originOf,
  textAt,
  valueAt,
  type HubspotEvent,
} from './event-parts.js';

export type DecodedEvent =
  | { readonly kind: 'change'; readonly change: RawChange }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string };

/** What an event says about its record, before who, when and whose are added. */
type Statement =
  | {
      readonly kind: 'change';
      readonly externalId: ExternalId;
      readonly change: ChangeKind;
      readonly shape: Shape;
      readonly fields: Fields;
      readonly merge: MergeStatement | null;
    }
  | Exclude<DecodedEvent, { kind: 'change' }>;

const ignored = { kind: 'ignored' } as const;

/** Details name the part that is wrong, never its content. */
const refused = (code: string, detail: string) => ({ kind: 'refused', code, detail }) as const;

/**
 * One event of a known source. Events carry no full record, so a creation, a restore and an
 * association are hints (go and read); a property change is a delta of one field; deletion and
 * erasure say all there is to say. Refusal codes: `event-type`, `object-type`, `occurred-at`,
 * `record-id`, `merge-ids`, `property`, and those of field normalisation.
 */
export const decodeEvent = (event: HubspotEvent, source: InboundSource): DecodedEvent => {
  const subscription = textAt(event, 'subscriptionType') ?? textAt(event, 'eventType');
  if (subscription === undefined) return refused('event-type', 'no subscriptionType or eventType');
  const [word = '', verb = ''] = subscription.split('.');
  const objectName = objectNameOf(event, word);
  if (objectName === null) return refused('object-type', 'a generic event without objectTypeId');
  const map = source.records.find((record) => record.objectName === objectName);
  if (map === undefined) return ignored;
  const occurredAtMs = occurredAtOf(event);
  if (occurredAtMs === undefined) return refused('occurred-at', 'occurredAt is no time in ms');
  const origin = originOf(event, source.ownMarker);
  const statement = statementOf(event, verb, map);
  if (statement.kind !== 'change') return statement;
  // Associations carry no values that could be compared, so our own are dropped by the marker.
  if (statement.change === 'associated' && origin === 'ours') return ignored;
  return {
    kind: 'change',
    change: {
      instanceId: source.instanceId,
      identity: identityOf(event),
      recordType: map.recordType,
      externalId: statement.externalId,
      kind: statement.change,
      shape: statement.shape,
      fields: statement.fields,
      revision: String(occurredAtMs),
      occurredAtMs,
      origin,
      originDetail: originDetailOf(event),
      merge: statement.merge,
    },
  };
};

/** Undefined: a type that is no CRM object. Null: generic, and does not say of which type. */
const objectNameOf = (event: HubspotEvent, word: string): string | undefined | null => {
  if (word !== 'object') return objectOfWord(word);
  const typeId = textAt(event, 'objectTypeId') ?? textAt(event, 'fromObjectTypeId');
  return typeId === undefined ? null : objectOfTypeId(typeId);
};

const statementOf = (event: HubspotEvent, verb: string, map: RecordMap): Statement => {
  switch (verb) {
    case 'creation':
      return about(event, 'created', 'hint');
    case 'deletion':
      return about(event, 'deleted', 'delta');
    case 'privacyDeletion':
      return about(event, 'erased', 'delta');
    case 'restore':
      return about(event, 'restored', 'hint');
    case 'propertyChange':
      return propertyChange(event, map);
    case 'merge':
      return mergeOf(event);
    case 'associationChange':
      return about(event, 'associated', 'hint', idAt(event, 'fromObjectId'));
    default:
      return ignored;
  }
};

const about = (
  event: HubspotEvent,
  change: ChangeKind,
  shape: Shape,
  externalId = idAt(event, 'objectId'),
  fields: Fields = {},
): Statement =>
  externalId === undefined
    ? refused('record-id', 'the id of the record is missing or no number')
    : { kind: 'change', externalId, change, shape, fields, merge: null };

const propertyChange = (event: HubspotEvent, map: RecordMap): Statement => {
  const property = textAt(event, 'propertyName');
  const value = valueAt(event, 'propertyValue');
  if (property === undefined) return refused('property', 'propertyName is missing');
  const mapped = map.fields.filter((field) => field.property === property);
  if (mapped.length === 0) return ignored;
  // A masked value is not the value: taken as a delta it would overwrite the real one. Somebody who
  // really types the mask costs us one read.
  const isMasked = valueAt(event, 'isSensitive') === true || value === 'REDACTED';
  if (isMasked) return about(event, 'changed', 'hint');
  if (typeof value !== 'string') return refused('property', 'propertyValue is no text');
  const fields: [string, FieldValue][] = [];
  for (const { field, fieldType } of mapped) {
    const result = normaliseValue(fieldType, value);
    if (!result.ok) return refused(result.code, `${field}: ${result.detail}`);
    fields.push([field, result.value]);
  }
  return about(event, 'changed', 'delta', undefined, Object.fromEntries(fields));
};

/**
 * The survivor may be one of the merged records or a third, new one; every other id is a loser.
 * The values the survivor ends with come as events of their own, or with the next read.
 */
const mergeOf = (event: HubspotEvent): Statement => {
  const survivorId = idAt(event, 'newObjectId');
  const primaryId = idAt(event, 'primaryObjectId');
  const mergedIds = idsAt(event, 'mergedObjectIds');
  if (survivorId === undefined || primaryId === undefined || mergedIds === undefined) {
    return refused('merge-ids', 'newObjectId, primaryObjectId or mergedObjectIds is missing');
  }
  const loserIds = [...new Set([primaryId, ...mergedIds])].filter((id) => id !== survivorId);
  if (loserIds.length === 0) return refused('merge-ids', 'the merge names no record that ended');
  return {
    kind: 'change',
    externalId: survivorId,
    change: 'merged',
    shape: 'hint',
    fields: {},
    merge: { survivorId, loserIds },
  };
};
