import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, invalidInput } from '../answers/errors.js';
import { isObject, textOf } from '../answers/json.js';
import type { Portal } from '../portals/portal.js';
import { createWithLinks, wantedLinks } from './create-with-links.js';
import { findRecord, uniqueIdProperty } from './find-record.js';
import type { ObjectType } from './object-types.js';
import { prepareValues } from './prepare-values.js';
import type { CrmRecord } from './record.js';
import { renderRecord } from './render-record.js';
import { writtenView } from './single-handlers.js';
import { uniqueClash } from './unique-values.js';
import { missingValues, updateRecord } from './write-record.js';

type Input = Record<string, unknown>;
type Rendered = Record<string, unknown>;

/** One input of a batch: what would happen, and doing it. */
export interface ItemPlan {
  /** Refuses without writing. `claimed` remembers the unique values of earlier inputs. */
  check(claimed: Map<string, string>): Result<null>;
  run(): Result<Rendered>;
}

/** A create. */
export function createItem(portal: Portal, type: ObjectType, input: Input): ItemPlan {
  return {
    check: (claimed) => {
      const links = wantedLinks(portal, type, input['associations']);
      return links.ok ? checkValues(portal, type, input['properties'] ?? {}, null, claimed) : links;
    },
    run: () => {
      const created = createWithLinks(portal, type, input);
      return created.ok ? ok(shown(portal, created.value, input)) : created;
    },
  };
}

/** An update by id or by a unique property. */
export function updateItem(portal: Portal, type: ObjectType, input: Input): ItemPlan {
  const find = () =>
    findRecord(portal, type, textOf(input['id']) ?? '', textOf(input['idProperty']) ?? null);
  return {
    check: (claimed) => {
      const found = find();
      return found.ok
        ? checkValues(portal, type, input['properties'], found.value, claimed)
        : found;
    },
    run: () => {
      const found = find();
      if (!found.ok) return found;
      const updated = updateRecord(portal, found.value, input['properties'], portal.apiOrigin());
      return updated.ok ? ok(shown(portal, updated.value, input)) : updated;
    },
  };
}

/** An upsert by a unique property: the id is a value of that property. */
export function upsertItem(portal: Portal, type: ObjectType, input: Input): ItemPlan {
  const target = (): Result<{ record: CrmRecord | null; properties: Input }> =>
    upsertTarget(portal, type, input);
  return {
    check: (claimed) => {
      const found = target();
      return found.ok
        ? checkValues(portal, type, found.value.properties, found.value.record, claimed)
        : found;
    },
    run: () => {
      const found = target();
      if (!found.ok) return found;
      const { record, properties } = found.value;
      const written = record
        ? updateRecord(portal, record, properties, portal.apiOrigin())
        : createWithLinks(portal, type, { properties });
      return written.ok
        ? ok({ ...shown(portal, written.value, { properties }), new: record === null })
        : written;
    },
  };
}

function upsertTarget(portal: Portal, type: ObjectType, input: Input) {
  const id = textOf(input['id']);
  const given = input['properties'] ?? {};
  if (id === undefined || id.trim() === '')
    return refuse(invalid('Each input of an upsert needs an id.'));
  if (!isObject(given)) return refuse(invalidInput('properties must be an object'));
  const idProperty = uniqueIdProperty(portal, type, textOf(input['idProperty']) ?? 'hs_object_id');
  if (!idProperty.ok) return idProperty;
  const found = findRecord(portal, type, id, idProperty.value);
  if (!found.ok) return ok({ record: null, properties: { [idProperty.value]: id, ...given } });
  return ok({
    record: found.value,
    properties: withoutMatchedAddress(idProperty.value, id, given),
  });
}

/** An upsert that matched a further address leaves the first one in its place. */
function withoutMatchedAddress(idProperty: string, id: string, given: Input): Input {
  const same = textOf(given['email'])?.trim().toLowerCase() === id.trim().toLowerCase();
  if (idProperty !== 'email' || !same) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'email'));
}

function checkValues(
  portal: Portal,
  type: ObjectType,
  properties: unknown,
  self: CrmRecord | null,
  claimed: Map<string, string>,
): Result<null> {
  const values = prepareValues(portal, type, properties);
  if (!values.ok) return values;
  const missing = self === null ? missingValues(portal, type, values.value) : null;
  const clash = missing ?? uniqueClash(portal, type, values.value, self);
  if (clash) return refuse(clash);
  for (const name of portal.properties.uniqueNames(type)) {
    const value = values.value.get(name)?.toLowerCase();
    if (!value) continue;
    if (claimed.has(`${name}=${value}`)) return refuse(twice(name, value));
    claimed.set(`${name}=${value}`, value);
  }
  return ok(null);
}

const twice = (name: string, value: string) => ({
  status: 409,
  category: 'CONFLICT',
  message: `The batch contains the value ${value} of the unique property ${name} more than once.`,
});

const shown = (portal: Portal, record: CrmRecord, input: Input): Rendered =>
  renderRecord(portal, record, writtenView(record.type, input['properties']));
