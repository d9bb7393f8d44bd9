import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, invalidInput } from '../answers/errors.js';
import { isObject, textOf } from '../answers/json.js';
import { associationOf, type AssociationType } from '../associations/association-types.js';
import { linkRecords } from '../associations/link-records.js';
import type { Portal } from '../portals/portal.js';
import type { ObjectType } from './object-types.js';
import { isLive, type CrmRecord } from './record.js';
import { createRecord } from './write-record.js';

/** A link to make once the record is there. */
export interface WantedLink {
  readonly link: AssociationType;
  readonly to: CrmRecord;
}

/** Creates a record with the links its input asks for. A link that cannot be made refuses the whole. */
export function createWithLinks(
  portal: Portal,
  type: ObjectType,
  input: Record<string, unknown>,
): Result<CrmRecord> {
  const links = wantedLinks(portal, type, input['associations']);
  if (!links.ok) return links;
  const created = createRecord(portal, type, input['properties'] ?? {}, portal.apiOrigin());
  if (!created.ok) return created;
  for (const { link, to } of links.value) {
    linkRecords(portal, created.value, to, link, portal.apiOrigin());
  }
  return created;
}

/** The links an input asks for, or the refusal of the first that cannot be made. */
export function wantedLinks(
  portal: Portal,
  type: ObjectType,
  input: unknown,
): Result<readonly WantedLink[]> {
  if (input === undefined || input === null) return ok([]);
  if (!Array.isArray(input)) return refuse(invalidInput('associations must be an array'));
  const wanted: WantedLink[] = [];
  for (const entry of input) {
    const toId = isObject(entry) && isObject(entry['to']) ? textOf(entry['to']['id']) : undefined;
    const specs = isObject(entry) && Array.isArray(entry['types']) ? entry['types'] : [];
    if (toId === undefined) return refuse(invalidInput('associations need to.id and types'));
    for (const spec of specs) {
      const link = associationOf(
        type.name,
        isObject(spec) ? Number(spec['associationTypeId']) : NaN,
      );
      const toType = link && portal.type(link.to);
      if (!link || !toType)
        return refuse(
          invalid('One or more association types are invalid.', 'INVALID_ASSOCIATION_TYPE'),
        );
      const to = portal.records.resolve(toType, toId);
      if (!to || !isLive(to)) return refuse(invalidEnd(toType, toId));
      wanted.push({ link, to });
    }
  }
  return ok(wanted);
}

/** 400 for a link to a record that is not there. */
export const invalidEnd = (type: ObjectType, id: string) => {
  const name = type.singular.toUpperCase();
  return {
    status: 400,
    category: 'VALIDATION_ERROR',
    message: 'One or more associations are invalid',
    errors: [
      {
        message: `${name}=${id} is not valid`,
        code: 'INVALID_OBJECT_IDS',
        context: { [name]: [id] },
      },
    ],
  };
};
