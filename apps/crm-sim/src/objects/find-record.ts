import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, notFound } from '../answers/errors.js';
import type { Portal } from '../portals/portal.js';
import type { ObjectType } from './object-types.js';
import { isLive, type CrmRecord } from './record.js';

/** Refuses (400) an id property whose values are not unique, as the real API does. */
export function uniqueIdProperty(
  portal: Portal,
  type: ObjectType,
  idProperty: string,
): Result<string> {
  return portal.properties.uniqueNames(type).includes(idProperty)
    ? ok(idProperty)
    : refuse(
        invalid(
          `Unable to perform update/upsert by non-unique ${type.typeId} property: ${idProperty}`,
        ),
      );
}

/**
 * The live record under an id or a unique value. A merged-away id finds its survivor; an address
 * finds the contact that has it as a further one too. 404 when there is none.
 */
export function findRecord(
  portal: Portal,
  type: ObjectType,
  id: string,
  idProperty: string | null,
): Result<CrmRecord> {
  if (idProperty === null || idProperty === 'hs_object_id') {
    const record = portal.records.resolve(type, id);
    return record && isLive(record) ? ok(record) : refuse(notFound(id));
  }
  const unique = uniqueIdProperty(portal, type, idProperty);
  if (!unique.ok) return unique;
  const record = portal.records.findUnique(type, idProperty, id.trim());
  return record && isLive(record) ? ok(record) : refuse(notFound(id));
}

/** As `findRecord`, in the recycle bin. */
export function findArchived(portal: Portal, type: ObjectType, id: string): Result<CrmRecord> {
  const record = portal.records.resolve(type, id);
  return record && record.archivedAtMs !== null ? ok(record) : refuse(notFound(id));
}
