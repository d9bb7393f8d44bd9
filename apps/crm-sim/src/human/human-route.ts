import type { Answer, HubSpotError, Result } from '../answers/answer.js';
import { ok, refuse } from '../answers/answer.js';
import { invalid } from '../answers/errors.js';
import { associationOf, defaultAssociation } from '../associations/association-types.js';
import { linkByDefault, linkRecords, unlinkRecords } from '../associations/link-records.js';
import type { ControlCall } from '../control/control-endpoint.js';
import { controlError, readInput } from '../control/control-error.js';
import { archiveRecord, eraseRecord, restoreRecord } from '../objects/lifecycle.js';
import { mergeRecords } from '../objects/merge-records.js';
import type { ObjectType } from '../objects/object-types.js';
import { isLive, type ChangeOrigin, type CrmRecord } from '../objects/record.js';
import { createRecord, updateRecord } from '../objects/write-record.js';
import type { Portal } from '../portals/portal.js';
import { canonicalValue } from '../properties/values.js';
import { humanActionSchema, type HumanAction } from './human-action.js';

/** `POST …/human`: does what a person would do in the CRM's pages; answers `{id}` of the record after it. */
export function playHuman(portal: Portal, call: ControlCall): Answer {
  return readInput(humanActionSchema, call.body, (action) => {
    const type = portal.type(action.type);
    if (!type) return controlError(404, 'unknown-type', `There is no object type ${action.type}.`);
    const done = act(portal, type, action);
    return done.ok ? { status: 200, body: { id: done.value.id } } : refusedAnswer(done.error);
  });
}

const refusedAnswer = (error: HubSpotError): Answer =>
  controlError(
    error.status,
    error.status === 404 ? 'not-found' : error.status === 409 ? 'conflict' : 'refused',
    error.message,
  );

function act(portal: Portal, type: ObjectType, action: HumanAction): Result<CrmRecord> {
  const origin: ChangeOrigin = {
    source: action.changeSource,
    sourceId: action.sourceId ?? `userId:${action.userId}`,
    userId: action.userId,
    depth: 0,
  };
  if (action.action === 'create') return create(portal, type, action, origin);
  const found = pick(portal, type, action.id, action.where, action.action);
  if (!found.ok) return found;
  const record = found.value;
  switch (action.action) {
    case 'update':
      return updateRecord(portal, record, action.properties ?? {}, origin);
    case 'delete':
      archiveRecord(portal, record, origin);
      return ok(record);
    case 'restore':
      return restoreRecord(portal, record, origin);
    case 'privacy-delete':
      eraseRecord(portal, record, origin);
      return ok(record);
    case 'merge': {
      const into = pick(portal, type, action.intoId, action.intoWhere, 'merge');
      return into.ok ? mergeRecords(portal, type, into.value.id, record.id, origin) : into;
    }
    case 'associate':
    case 'disassociate':
      return link(portal, record, action, origin);
    default:
      return action.action satisfies never;
  }
}

function create(
  portal: Portal,
  type: ObjectType,
  action: HumanAction,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  const domain = action.properties?.['domain'];
  if (type.name === 'companies' && domain && !action.force) {
    const twin = pick(portal, type, undefined, { domain: String(domain) }, 'create');
    // The API takes a second company with a domain; the CRM's own pages do not.
    if (twin.ok)
      return refuse({
        ...invalid(`Company ${twin.value.id} has this domain; pass force to create another.`),
        status: 409,
      });
  }
  return createRecord(portal, type, action.properties ?? {}, origin);
}

function link(
  portal: Portal,
  from: CrmRecord,
  action: HumanAction,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  const toType = portal.type(action.intoType ?? '');
  if (!toType) return refuse(invalid('A link needs intoType.'));
  const to = pick(portal, toType, action.intoId, action.intoWhere, action.action);
  if (!to.ok) return to;
  const byDefault = defaultAssociation(from.type.name, toType.name);
  const { associationTypeId } = action;
  const chosen = [associationOf(from.type.name, associationTypeId ?? NaN), byDefault].find(
    (kind) => kind?.typeId === associationTypeId && kind?.to === toType.name,
  );
  if (associationTypeId !== undefined && !chosen) {
    return refuse(invalid(`${associationTypeId} is no link between these types.`));
  }
  if (action.action === 'disassociate') {
    unlinkRecords(portal, from, to.value, chosen ? [chosen.typeId] : 'all', origin);
  } else if (chosen) linkRecords(portal, from, to.value, chosen, origin);
  else linkByDefault(portal, from, to.value, origin);
  return ok(from);
}

/** The record meant by id or by values; a restore and a privacy deletion look in the recycle bin too. */
function pick(
  portal: Portal,
  type: ObjectType,
  id: string | undefined,
  where: Readonly<Record<string, string>> | undefined,
  action: HumanAction['action'],
): Result<CrmRecord> {
  if (id === undefined && where === undefined)
    return refuse(invalid('Say which record: by id or by where.'));
  const looksInBin = action === 'restore' || action === 'privacy-delete';
  const named =
    id === undefined ? [...portal.records.all(type)] : [portal.records.resolve(type, id)];
  const found = named
    .filter((record) => record !== undefined)
    .filter(
      (record) => isLive(record) || (looksInBin && record.mergedInto === null && !record.erased),
    )
    .filter((record) =>
      Object.entries(where ?? {}).every(([name, value]) => hasValue(portal, record, name, value)),
    );
  const [first, second] = found;
  if (!first)
    return refuse({ status: 404, category: '', message: `No ${type.singular} is meant by this.` });
  if (second) {
    return refuse(
      invalid(`More than one ${type.singular} is meant: ${found.map((r) => r.id).join(', ')}.`),
    );
  }
  return ok(first);
}

function hasValue(portal: Portal, record: CrmRecord, name: string, value: string): boolean {
  const property = portal.properties.find(record.type, name);
  const canonical = property && canonicalValue(property, value);
  return (
    canonical !== undefined &&
    'value' in canonical &&
    (record.properties.get(name) ?? '') === canonical.value
  );
}
