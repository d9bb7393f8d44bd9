import { ok, refuse, type HubSpotError, type Result } from '../answers/answer.js';
import { invalidValues } from '../answers/errors.js';
import type { Portal } from '../portals/portal.js';
import { webhookValue } from '../properties/values.js';
import type { ObjectType } from './object-types.js';
import { prepareValues } from './prepare-values.js';
import { applyValues, type ChangeOrigin, type CrmRecord } from './record.js';
import { swapAddresses, uniqueClash } from './unique-values.js';

/** Creates a record, or refuses as HubSpot would (400 for values, 409 for a taken address). */
export function createRecord(
  portal: Portal,
  type: ObjectType,
  input: unknown,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  const values = prepareValues(portal, type, input);
  if (!values.ok) return values;
  const problem =
    missingValues(portal, type, values.value) ?? uniqueClash(portal, type, values.value, null);
  if (problem) return refuse(problem);
  const record = emptyRecord(portal, type, origin);
  portal.records.add(record);
  const subject = { type, id: record.id, origin, atMs: record.createdAtMs };
  portal.publish([portal.events.creation(subject)]);
  commitValues(portal, record, values.value, origin);
  portal.automations.afterWrite(record, 'create', [...values.value.keys()], origin);
  return ok(record);
}

/** Writes some properties of a live record. The same values again change nothing and tell nobody. */
export function updateRecord(
  portal: Portal,
  record: CrmRecord,
  input: unknown,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  const prepared = prepareValues(portal, record.type, input);
  if (!prepared.ok) return prepared;
  const values = swapAddresses(record, prepared.value);
  const clash = uniqueClash(portal, record.type, values, record);
  if (clash) return refuse(clash);
  const changed = commitValues(portal, record, values, origin);
  if (changed.length > 0) portal.automations.afterWrite(record, 'update', changed, origin);
  return ok(record);
}

/** The refusal for a create without a property its type cannot do without; null when all are there. */
export function missingValues(
  portal: Portal,
  type: ObjectType,
  values: ReadonlyMap<string, string>,
): HubSpotError | null {
  const missing = type.requiredProperties.filter((name) => !values.get(name));
  if (missing.length === 0) return null;
  return invalidValues(
    portal.spec.portalId,
    missing.map((name) => ({
      name,
      error: 'REQUIRED_FIELD',
      message: `Property "${name}" is required.`,
    })),
  );
}

function emptyRecord(portal: Portal, type: ObjectType, origin: ChangeOrigin): CrmRecord {
  const nowMs = portal.clock.nowMs();
  return {
    type,
    id: portal.records.nextId(type),
    createdAtMs: nowMs,
    createdBy: origin,
    updatedAtMs: nowMs,
    archivedAtMs: null,
    mergedInto: null,
    erased: false,
    properties: new Map(),
    history: new Map(),
  };
}

/**
 * Puts prepared values in place and keeps unique values, the search index and the webhooks in step.
 * Returns the names that changed. The one way in which stored values change.
 */
export function commitValues(
  portal: Portal,
  record: CrmRecord,
  values: ReadonlyMap<string, string>,
  origin: ChangeOrigin,
): string[] {
  const nowMs = portal.clock.nowMs();
  const unique = portal.properties.uniqueNames(record.type);
  const isNew = record.properties.size === 0 && record.history.size === 0;
  portal.records.releaseUnique(record, unique);
  const changed = applyValues(record, values, origin, nowMs);
  portal.records.holdUnique(record, unique);
  if (changed.length === 0 && !isNew) return [];
  touch(portal, record);
  const subject = { type: record.type, id: record.id, origin, atMs: nowMs };
  portal.publish(
    changed
      .filter((name) => !portal.properties.find(record.type, name)?.readOnly)
      .map((name) =>
        portal.events.propertyChange(
          subject,
          name,
          webhookValue(
            portal.properties.find(record.type, name),
            record.properties.get(name) ?? '',
          ),
        ),
      ),
  );
  return changed;
}

/** Marks a change: the modified time moves on, and search learns of it after its lag. */
export function touch(portal: Portal, record: CrmRecord): void {
  const nowMs = portal.clock.nowMs();
  record.updatedAtMs = Math.max(nowMs, record.updatedAtMs);
  portal.changes += 1;
  portal.index(record.type).note(record, nowMs, portal.behaviour.indexLagMs);
}
