import type { Answer } from '../answers/answer.js';
import { invalid } from '../answers/errors.js';
import { isObject, textOf } from '../answers/json.js';
import type { Portal } from '../portals/portal.js';
import {
  answerOf,
  bodyOf,
  listParam,
  refusal,
  typeIn,
  type ApiHandler,
  type ApiRequest,
} from '../server/api-request.js';
import { createWithLinks } from './create-with-links.js';
import { findArchived, findRecord } from './find-record.js';
import { archiveRecord, eraseRecord } from './lifecycle.js';
import { mergeRecords } from './merge-records.js';
import type { ObjectType } from './object-types.js';
import { isLive, type CrmRecord } from './record.js';
import { renderRecord, type View } from './render-record.js';
import { updateRecord } from './write-record.js';

const LIST_MAX = 100;

/** `POST /crm/v3/objects/{type}` → 201. */
export const createOne: ApiHandler = (portal, request) =>
  withType(portal, request, (type) =>
    answerOf(bodyOf(request), (body) =>
      answerOf(createWithLinks(portal, type, body), (record) => ({
        status: 201,
        body: renderRecord(portal, record, writtenView(type, body['properties'])),
      })),
    ),
  );

/** `GET /crm/v3/objects/{type}/{id}` with `properties`, `propertiesWithHistory`, `associations`, `archived`, `idProperty`. */
export const readOne: ApiHandler = (portal, request) =>
  withType(portal, request, (type) => {
    const id = request.params['id'] ?? '';
    const wantsArchived = request.query.get('archived') === 'true';
    const found = wantsArchived
      ? findArchived(portal, type, id)
      : findRecord(portal, type, id, request.query.get('idProperty'));
    return answerOf(found, (record) => ({
      status: 200,
      body: renderRecord(portal, record, queryView(request.query)),
    }));
  });

/** `GET /crm/v3/objects/{type}`: pages through live or archived records by id. */
export const listAll: ApiHandler = (portal, request) =>
  withType(portal, request, (type) => {
    const limit = Number(request.query.get('limit') ?? 10);
    if (!Number.isInteger(limit) || limit < 1 || limit > LIST_MAX) {
      return refusal(invalid(`limit must be between 1 and ${LIST_MAX}.`));
    }
    const afterId = Number(request.query.get('after') ?? 0);
    const wantsArchived = request.query.get('archived') === 'true';
    const rest = [...portal.records.all(type)]
      .filter((record) => (wantsArchived ? isInBin(record) : isLive(record)))
      .filter((record) => Number(record.id) > afterId)
      .sort((a, b) => Number(a.id) - Number(b.id));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      status: 200,
      body: {
        results: page.map((record) => renderRecord(portal, record, queryView(request.query))),
        ...(last && rest.length > limit && { paging: { next: { after: last.id } } }),
      },
    };
  });

/** `PATCH /crm/v3/objects/{type}/{id}`. A merged-away id writes to the survivor, without a word. */
export const updateOne: ApiHandler = (portal, request) =>
  withType(portal, request, (type) =>
    answerOf(bodyOf(request), (body) => {
      const found = findRecord(
        portal,
        type,
        request.params['id'] ?? '',
        request.query.get('idProperty'),
      );
      return answerOf(found, (record) =>
        answerOf(
          updateRecord(portal, record, body['properties'], portal.apiOrigin()),
          (updated) => ({
            status: 200,
            body: renderRecord(portal, updated, writtenView(type, body['properties'])),
          }),
        ),
      );
    }),
  );

/** `DELETE /crm/v3/objects/{type}/{id}` → 204, also for what is not there. */
export const archiveOne: ApiHandler = (portal, request) =>
  withType(portal, request, (type) => {
    const record = portal.records.find(type, request.params['id'] ?? '');
    if (record && isLive(record)) archiveRecord(portal, record, portal.apiOrigin());
    return { status: 204 };
  });

/** `POST /crm/v3/objects/{type}/merge` `{primaryObjectId, objectIdToMerge}` → 200 with the survivor. */
export const mergeTwo: ApiHandler = (portal, request) =>
  withType(portal, request, (type) =>
    answerOf(bodyOf(request), (body) => {
      const primary = textOf(body['primaryObjectId']);
      const loser = textOf(body['objectIdToMerge']);
      if (!primary || !loser)
        return refusal(invalid('primaryObjectId and objectIdToMerge are required.'));
      return answerOf(mergeRecords(portal, type, primary, loser, portal.apiOrigin()), (record) => ({
        status: 200,
        body: renderRecord(portal, record, queryView(request.query)),
      }));
    }),
  );

/** `POST /crm/v3/objects/{type}/gdpr-delete` `{objectId, idProperty?}` → 204. */
export const gdprDelete: ApiHandler = (portal, request) =>
  withType(portal, request, (type) =>
    answerOf(bodyOf(request), (body) => {
      const id = textOf(body['objectId']) ?? '';
      const idProperty = textOf(body['idProperty']) ?? null;
      const bin = idProperty === null ? findArchived(portal, type, id) : null;
      const found = bin?.ok ? bin : findRecord(portal, type, id, idProperty);
      return answerOf(found, (record) => {
        eraseRecord(portal, record, portal.apiOrigin());
        return { status: 204 };
      });
    }),
  );

const isInBin = (record: CrmRecord): boolean =>
  record.archivedAtMs !== null && !record.erased && record.mergedInto === null;

const withType = (
  portal: Portal,
  request: ApiRequest,
  then: (type: ObjectType) => Answer,
): Answer => answerOf(typeIn(portal, request), then);

/** A write shows what was written, as stored, beside the defaults. */
export function writtenView(type: ObjectType, properties: unknown): View {
  const written = isObject(properties) ? Object.keys(properties) : [];
  return {
    properties: [...type.defaultProperties, ...written, 'hs_object_source', 'hs_object_source_id'],
    history: [],
    associations: [],
  };
}

function queryView(query: URLSearchParams): View {
  const history = listParam(query, 'propertiesWithHistory');
  const named = listParam(query, 'properties');
  return {
    properties: named.length > 0 || history.length > 0 ? [...named, ...history] : null,
    history,
    associations: listParam(query, 'associations'),
  };
}
