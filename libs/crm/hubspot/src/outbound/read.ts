import type { ReadResult, RecordMap } from '@counterpart/crm-port';
import type { ExternalId } from '@counterpart/sync-model';
import type { BeginCalls } from './caller.js';
import { lookUp, type LookedUp } from './look-up.js';
import { foundRecord } from './record.js';
import { mappedProperties } from './translate.js';
import { unreadable } from './unread.js';

/** By id. The id of a merged record finds its survivor; an archived record is found as archived. */
export const readRecords = async (
  ids: readonly ExternalId[],
  map: RecordMap,
  begin: BeginCalls,
): Promise<readonly ReadResult[]> => {
  const question = {
    objectName: map.objectName,
    idProperty: null,
    properties: mappedProperties(map),
  };
  const live = await lookUp(ids, { ...question, archived: false }, begin);
  const gone = ids.filter((_id, index) => live[index]?.kind === 'absent');
  const archived = await lookUp(gone, { ...question, archived: true }, begin);
  const archivedById = new Map(gone.map((id, index) => [id, archived[index]]));
  return ids.map((id, index) => {
    const now = live[index];
    const answer = now?.kind === 'absent' ? archivedById.get(id) : now;
    return asRead(answer, map, now?.kind === 'absent');
  });
};

/** `isArchived`: it was found where only archived records are. */
export const asRead = (
  answer: LookedUp | undefined,
  map: RecordMap,
  isArchived = false,
): ReadResult => {
  if (answer === undefined) return unreadable('no-verdict');
  if (answer.kind !== 'found') return answer;
  const record = foundRecord(map, answer.record);
  return { kind: 'found', record: { ...record, archived: record.archived || isArchived } };
};
