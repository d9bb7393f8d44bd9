import { ok, refuse, type HubSpotError, type Result } from '../answers/answer.js';
import { invalid, invalidInput, notFound } from '../answers/errors.js';
import { isObject, textOf } from '../answers/json.js';
import { invalidEnd } from '../objects/create-with-links.js';
import type { ObjectType } from '../objects/object-types.js';
import { isLive, type CrmRecord } from '../objects/record.js';
import type { Portal } from '../portals/portal.js';
import {
  answerOf,
  refusal,
  typeIn,
  type ApiHandler,
  type ApiRequest,
} from '../server/api-request.js';
import { batchAnswer } from '../objects/batch-answer.js';
import {
  associationOf,
  associationsBetween,
  defaultAssociation,
  type AssociationType,
} from './association-types.js';
import { linkByDefault, linkRecords, unlinkRecords } from './link-records.js';

/** The two ends of a call. */
export interface Pair {
  readonly from: ObjectType;
  readonly to: ObjectType;
}

/** `PUT /crm/v4/objects/{from}/{fromId}/associations/default/{to}/{toId}` → both directions. */
export const putDefault: ApiHandler = (portal, request) =>
  answerOf(endsIn(portal, request), ({ from, to }) => {
    linkByDefault(portal, from, to, portal.apiOrigin());
    return batchAnswer(portal, 200, defaultResults(from, to));
  });

/** `PUT /crm/v4/objects/{from}/{fromId}/associations/{to}/{toId}` with a list of types → 201. */
export const putTyped: ApiHandler = (portal, request) =>
  answerOf(endsIn(portal, request), ({ from, to }) =>
    answerOf(linksOf({ from: from.type, to: to.type }, request.body), (links) => {
      links.forEach((link) => linkRecords(portal, from, to, link, portal.apiOrigin()));
      return { status: 201, body: labelsBetween(from, to, links) };
    }),
  );

/** `DELETE /crm/v4/objects/{from}/{fromId}/associations/{to}/{toId}` → 204, every type of link. */
export const deleteAll: ApiHandler = (portal, request) => {
  const ends = endsIn(portal, request);
  if (ends.ok) unlinkRecords(portal, ends.value.from, ends.value.to, 'all', portal.apiOrigin());
  return { status: 204 };
};

/** `GET /crm/v4/objects/{type}/{id}/associations/{to}`: pages of links with their types. */
export const listLinks: ApiHandler = (portal, request) =>
  answerOf(pairIn(portal, request), (pair) => {
    const id = request.params['fromId'] ?? '';
    const record = portal.records.resolve(pair.from, id);
    if (!record || !isLive(record)) return refusal(notFound(id));
    const limit = Math.min(Number(request.query.get('limit') ?? 500) || 500, 500);
    const start = Number(request.query.get('after') ?? 0) || 0;
    const all = renderLinks(portal, record, pair.to);
    const next =
      start + limit < all.length ? { paging: { next: { after: String(start + limit) } } } : {};
    return { status: 200, body: { results: all.slice(start, start + limit), ...next } };
  });

/** `GET /crm/v4/associations/{from}/{to}/labels`: the kinds of link a pair knows. */
export const listLabels: ApiHandler = (portal, request) =>
  answerOf(pairIn(portal, request), ({ from, to }) => ({
    status: 200,
    body: {
      results: associationsBetween(from.name, to.name).map((link) => ({
        category: 'HUBSPOT_DEFINED',
        typeId: link.typeId,
        label: link.label,
      })),
    },
  }));

/** The types in the path, or HubSpot's 400. */
export function pairIn(portal: Portal, request: ApiRequest): Result<Pair> {
  const from = typeIn(portal, request, 'from');
  const to = typeIn(portal, request, 'to');
  if (!from.ok) return from;
  return to.ok ? ok({ from: from.value, to: to.value }) : to;
}

/** Live records under two ids (merged-away ids find their survivors), or 400 naming the bad one. */
export function endsOf(
  portal: Portal,
  pair: Pair,
  fromId: string,
  toId: string,
): Result<{ readonly from: CrmRecord; readonly to: CrmRecord }> {
  const from = portal.records.resolve(pair.from, fromId);
  const to = portal.records.resolve(pair.to, toId);
  if (!from || !isLive(from)) return refuse(invalidEnd(pair.from, fromId));
  if (!to || !isLive(to)) return refuse(invalidEnd(pair.to, toId));
  return ok({ from, to });
}

function endsIn(portal: Portal, request: ApiRequest) {
  const pair = pairIn(portal, request);
  if (!pair.ok) return pair;
  return endsOf(portal, pair.value, request.params['fromId'] ?? '', request.params['toId'] ?? '');
}

/** The kinds of link a body names by `associationTypeId`. */
export function linksOf(pair: Pair, body: unknown): Result<readonly AssociationType[]> {
  if (!Array.isArray(body) || body.length === 0)
    return refuse(invalidInput('a list of association types is expected'));
  const links = body.map((spec) =>
    linkOf(pair, isObject(spec) ? Number(spec['associationTypeId']) : NaN),
  );
  return links.every((link) => link !== undefined) ? ok(links) : refuse(invalidType(pair));
}

function linkOf(pair: Pair, typeId: number): AssociationType | undefined {
  const known = associationOf(pair.from.name, typeId);
  if (known?.to === pair.to.name) return known;
  const byDefault = defaultAssociation(pair.from.name, pair.to.name);
  return byDefault.typeId === typeId ? byDefault : undefined;
}

const invalidType = (pair: Pair): HubSpotError =>
  invalid(
    `One or more association types are invalid between ${pair.from.singular} and ${pair.to.singular}.`,
    'INVALID_ASSOCIATION_TYPE',
  );

/** The plain link as the default endpoints report it: once from each end. */
export function defaultResults(from: CrmRecord, to: CrmRecord): unknown[] {
  const link = defaultAssociation(from.type.name, to.type.name);
  const entry = (a: CrmRecord, b: CrmRecord, associationTypeId: number) => ({
    from: { id: a.id },
    to: { id: b.id },
    associationSpec: { associationCategory: 'HUBSPOT_DEFINED', associationTypeId },
  });
  return [entry(from, to, link.typeId), entry(to, from, link.inverseTypeId)];
}

/** A link as the typed endpoints report it. */
export const labelsBetween = (
  from: CrmRecord,
  to: CrmRecord,
  links: readonly AssociationType[],
) => ({
  fromObjectTypeId: from.type.typeId,
  fromObjectId: from.id,
  toObjectTypeId: to.type.typeId,
  toObjectId: to.id,
  labels: links.flatMap((link) => (link.label ? [link.label] : [])),
});

/** A record's links to one type; hidden while the other end is in the recycle bin. Ids are numbers here. */
export function renderLinks(portal: Portal, record: CrmRecord, to: ObjectType): unknown[] {
  return portal.associations
    .list(record.type.name, record.id, to.name)
    .filter((edge) => {
      const other = portal.records.find(to, edge.toId);
      return other !== undefined && isLive(other);
    })
    .map((edge) => ({
      toObjectId: Number(edge.toId),
      associationTypes: edge.typeIds.map((typeId) => ({
        category: 'HUBSPOT_DEFINED',
        typeId,
        label: associationOf(record.type.name, typeId)?.label ?? null,
      })),
    }));
}

/** The id of `{id}`. */
export const idOf = (value: unknown): string =>
  isObject(value) ? (textOf(value['id']) ?? '') : '';
