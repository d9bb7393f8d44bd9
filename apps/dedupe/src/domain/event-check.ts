import {
  recordKey,
  type Fields,
  type Relation,
  type SourceEvent,
  type SyncResult,
  type WriteMemory,
} from '@counterpart/sync-model';

/**
 * Why a message that could be read cannot be kept. Ingest and the writer have checked all this; a
 * message that something else put on the topic must stall nobody, and what the database or a hash
 * refuses would be refused again with every redelivery.
 */
export type MessageFault =
  'key-mismatch' | 'id-unstorable' | 'field-name-unstorable' | 'value-unusable' | 'too-deep';

/** Sentences for the people who find the note. */
export const faultDetails: Readonly<Record<MessageFault, string>> = {
  'key-mismatch': 'The message lies under the key of another record: see who writes to the topic.',
  'id-unstorable': 'An id is empty, too long, or holds a character that cannot be stored.',
  'field-name-unstorable': 'A field name cannot be stored: see the field map of the source.',
  'value-unusable': 'A number is not finite, so the content has no fingerprint.',
  'too-deep': 'Related records are nested deeper than any provider states them.',
};

/**
 * Index rows of PostgreSQL end near 2,700 bytes and the longest key has five texts. No provider's
 * id comes near this.
 */
const idBytesMax = 512;
const relationDepthMax = 8;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (text: string): boolean => uuid.test(text);

/** Can the text be part of a key: not empty, short, no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean =>
  text !== '' &&
  text.length <= idBytesMax &&
  !/[\0\p{Cs}]/u.test(text) &&
  utf8Bytes(text) <= idBytesMax;
const isStorableOrEmpty = (text: string): boolean => text === '' || isStorable(text);

const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};

/** The first fault of an event, or undefined. */
export const faultOfEvent = (event: SourceEvent, messageKey: string): MessageFault | undefined => {
  const ids = [event.tenantId, event.sourceId, event.recordType, event.externalId];
  if (!ids.every(isStorable) || !isUuid(event.eventKey) || !isUuid(event.fingerprint)) {
    return 'id-unstorable';
  }
  if (event.revision !== null && !isStorable(event.revision)) return 'id-unstorable';
  if (!isStorableOrEmpty(event.originDetail)) return 'id-unstorable';
  if (!Object.keys(event.fields).every(isStorable)) return 'field-name-unstorable';
  if (!hasPrint(event.fields)) return 'value-unusable';
  return (
    faultOfRelations(event.relations, 1) ??
    (recordKey(event) === messageKey ? undefined : 'key-mismatch')
  );
};

const hasPrint = (fields: Fields): boolean =>
  Object.values(fields).every((value) => typeof value !== 'number' || Number.isFinite(value));

const faultOfRelations = (
  relations: readonly Relation[],
  depth: number,
): MessageFault | undefined => {
  if (relations.length > 0 && depth > relationDepthMax) return 'too-deep';
  for (const relation of relations) {
    if (!hasPrint(relation.fields)) return 'value-unusable';
    const fault = faultOfRelations(relation.relations, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** The first fault of a report of the writer, or undefined. */
export const faultOfWriteMemory = (
  report: WriteMemory,
  messageKey: string,
): MessageFault | undefined => {
  const ids = [report.tenantId, report.sourceId, report.recordType, report.externalId];
  if (!ids.every(isStorable) || !isUuid(report.operationId)) return 'id-unstorable';
  if (!Object.entries(report.fields).every(([name, print]) => isStorable(name) && isUuid(print))) {
    return 'field-name-unstorable';
  }
  return recordKey(report) === messageKey ? undefined : 'key-mismatch';
};

/** The first fault of a result, or undefined. Its key does not matter: versions keep the order. */
export const faultOfResult = (result: SyncResult): MessageFault | undefined => {
  const areIdsSound =
    isStorable(result.tenantId) && isStorable(result.originSourceId) && isUuid(result.eventKey);
  return areIdsSound && isUuid(result.operationId) && isStorableOrEmpty(result.reason)
    ? undefined
    : 'id-unstorable';
};
