import { recordKey, type SourceEvent, type WriteMemory } from '@counterpart/sync-model';

/** Why a message that could be read cannot be kept. Codes of dead letters. */
export type EventFault = 'key-mismatch' | 'id-unstorable' | 'field-name-unstorable';

/** Index rows of PostgreSQL end near 2,700 bytes; no provider's id comes near a fifth of that. */
const idLengthMax = 512;
const isStorable = (text: string): boolean =>
  text !== '' && text.length <= idLengthMax && !/[\0\p{Cs}]/u.test(text);
const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/**
 * The first fault of an event, or undefined. Ingest has checked all this; a message that was put
 * on the topic by something else must stall nobody, and order holds only under the right key.
 */
export const faultOfEvent = (event: SourceEvent, messageKey: string): EventFault | undefined => {
  const ids = [event.tenantId, event.sourceId, event.recordType, event.externalId];
  if (!ids.every(isStorable) || !isUuid(event.eventKey) || !isUuid(event.fingerprint)) {
    return 'id-unstorable';
  }
  if (event.revision !== null && !isStorable(event.revision)) return 'id-unstorable';
  if (!isStorable(event.originDetail === '' ? '-' : event.originDetail)) return 'id-unstorable';
  if (!Object.keys(event.fields).every(isStorable)) return 'field-name-unstorable';
  return recordKey(event) === messageKey ? undefined : 'key-mismatch';
};

/** The same for a report of the writer. */
export const faultOfWriteMemory = (
  report: WriteMemory,
  messageKey: string,
): EventFault | undefined => {
  const ids = [report.tenantId, report.sourceId, report.recordType, report.externalId];
  if (!ids.every(isStorable) || !isUuid(report.operationId)) return 'id-unstorable';
  if (!Object.entries(report.fields).every(([name, print]) => isStorable(name) && isUuid(print))) {
    return 'field-name-unstorable';
  }
  return recordKey(report) === messageKey ? undefined : 'key-mismatch';
};
