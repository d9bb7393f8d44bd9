import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, notFound } from '../answers/errors.js';
import { isObject, textOf } from '../answers/json.js';
import type { ObjectType } from '../objects/object-types.js';
import type { Portal } from '../portals/portal.js';
import {
  answerOf,
  bodyOf,
  inputsOf,
  refusal,
  typeIn,
  type ApiHandler,
} from '../server/api-request.js';
import { batchAnswer } from '../objects/batch-answer.js';
import type { PropertyDefinition } from './definition.js';
import { instantText } from './values.js';

const NAME = /^[a-z][a-z0-9_]{0,99}$/;
const TYPES: readonly PropertyDefinition['type'][] = [
  'string',
  'number',
  'date',
  'datetime',
  'enumeration',
  'bool',
  'phone_number',
];

/** `GET /crm/v3/properties/{type}`. */
export const listProperties: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) => ({
    status: 200,
    body: { results: portal.properties.list(type).map(renderProperty) },
  }));

/** `GET /crm/v3/properties/{type}/{name}`, 404 when there is none. */
export const readProperty: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) => {
    const property = portal.properties.find(type, request.params['name'] ?? '');
    return property
      ? { status: 200, body: renderProperty(property) }
      : refusal(notFound(request.params['name'] ?? ''));
  });

/** `POST /crm/v3/properties/{type}` → 201; 403 where unique ones are forbidden, 409 when the name is taken. */
export const createProperty: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(bodyOf(request), (body) =>
      answerOf(addProperty(portal, type, body), (property) => ({
        status: 201,
        body: renderProperty(property),
      })),
    ),
  );

/** `DELETE /crm/v3/properties/{type}/{name}` → 204. */
export const archiveProperty: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) => {
    portal.properties.remove(type, request.params['name'] ?? '');
    portal.changes += 1;
    return { status: 204 };
  });

/** `POST /crm/v3/properties/{type}/batch/read`. */
export const batchReadProperties: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(inputsOf(request, 100), (inputs) => {
      const names = inputs.map((input) => textOf(input['name']) ?? '');
      const found = names.flatMap((name) => portal.properties.find(type, name) ?? []);
      const missing = names.filter((name) => !portal.properties.find(type, name));
      const errors = missing.map((name) => ({ error: notFound(name) }));
      return batchAnswer(portal, 200, found.map(renderProperty), errors);
    }),
  );

/** `GET /crm/v3/properties/{type}/groups`. */
export const listGroups: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) => ({
    status: 200,
    body: { results: [...portal.properties.groupsOf(type)].map(renderGroup) },
  }));

/** `POST /crm/v3/properties/{type}/groups` → 201. */
export const createGroup: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(bodyOf(request), (body) => {
      const name = textOf(body['name']) ?? '';
      if (!NAME.test(name)) return refusal(invalid('A group needs a name in lower case.'));
      portal.properties.groupsOf(type).add(name);
      portal.changes += 1;
      return { status: 201, body: renderGroup(name) };
    }),
  );

function addProperty(
  portal: Portal,
  type: ObjectType,
  body: Record<string, unknown>,
): Result<PropertyDefinition> {
  const definition = parseDefinition(body, portal.clock.nowMs());
  if (!definition.ok) return definition;
  const added = portal.properties.add(type, definition.value);
  if (!added.ok) return added;
  portal.changes += 1;
  return added;
}

function parseDefinition(body: Record<string, unknown>, nowMs: number): Result<PropertyDefinition> {
  const name = textOf(body['name']) ?? '';
  const type = TYPES.find((known) => known === body['type']);
  const fieldType = textOf(body['fieldType']);
  const groupName = textOf(body['groupName']);
  // Names of Object.prototype would be found in every plain object.
  if (!NAME.test(name) || name in {})
    return refuse(invalid(`The property name ${name} is not valid.`, 'INVALID_NAME'));
  if (!type || !fieldType || !groupName) {
    return refuse(
      invalid('name, label, type, fieldType and groupName are required.', 'REQUIRED_FIELD'),
    );
  }
  const options = Array.isArray(body['options']) ? body['options'].filter(isObject) : [];
  return ok({
    name,
    label: textOf(body['label']) ?? name,
    type,
    fieldType,
    groupName,
    options: options.map((option) => ({
      label: textOf(option['label']) ?? '',
      value: textOf(option['value']) ?? '',
    })),
    hasUniqueValue: body['hasUniqueValue'] === true,
    hubspotDefined: false,
    readOnly: false,
    createdAtMs: nowMs,
  });
}

function renderProperty(property: PropertyDefinition): Record<string, unknown> {
  const at = instantText(property.createdAtMs);
  return {
    updatedAt: at,
    createdAt: at,
    name: property.name,
    label: property.label,
    type: property.type,
    fieldType: property.fieldType,
    description: '',
    groupName: property.groupName,
    options: property.options.map((option, i) => ({ ...option, displayOrder: i, hidden: false })),
    displayOrder: -1,
    calculated: false,
    externalOptions: false,
    archived: false,
    hasUniqueValue: property.hasUniqueValue,
    hidden: false,
    hubspotDefined: property.hubspotDefined,
    modificationMetadata: {
      archivable: !property.hubspotDefined,
      readOnlyDefinition: property.hubspotDefined,
      readOnlyValue: property.readOnly,
    },
    formField: false,
  };
}

const renderGroup = (name: string) => ({ name, label: name, displayOrder: 0, archived: false });
