import {
  batchArchiveLabels,
  batchArchiveLinks,
  batchDefault,
  batchReadLinks,
  batchTyped,
} from '../associations/association-batch.js';
import {
  deleteAll,
  listLabels,
  listLinks,
  putDefault,
  putTyped,
} from '../associations/association-handlers.js';
import type { CallKind } from '../calls/call-log.js';
import {
  batchArchive,
  batchCreate,
  batchRead,
  batchUpdate,
  batchUpsert,
} from '../objects/batch-handlers.js';
import {
  archiveOne,
  createOne,
  gdprDelete,
  listAll,
  mergeTwo,
  readOne,
  updateOne,
} from '../objects/single-handlers.js';
import { describeAccount } from '../oauth/account-handler.js';
import {
  archiveProperty,
  batchReadProperties,
  createGroup,
  createProperty,
  listGroups,
  listProperties,
  readProperty,
} from '../properties/property-handlers.js';
import { searchRecords } from '../search/search-handler.js';
import type { ApiHandler } from './api-request.js';

/** One endpoint of the CRM API. */
export interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly kind: CallKind;
  readonly handle: ApiHandler;
}

const route = (method: string, path: string, kind: CallKind, handle: ApiHandler): Route => ({
  method,
  segments: path.split('/').slice(1),
  kind,
  handle,
});

const OBJECTS = '/crm/v3/objects/:type';
const PROPERTIES = '/crm/v3/properties/:type';
const LINKS = '/crm/v4/associations/:from/:to';
const RECORD_LINKS = '/crm/v4/objects/:from/:fromId/associations';

/** Every endpoint; where two fit, the earlier one wins. An upsert counts as a create. */
const ROUTES: readonly Route[] = [
  route('POST', `${OBJECTS}/batch/create`, 'create', batchCreate),
  route('POST', `${OBJECTS}/batch/upsert`, 'create', batchUpsert),
  route('POST', `${OBJECTS}/batch/update`, 'update', batchUpdate),
  route('POST', `${OBJECTS}/batch/read`, 'read', batchRead),
  route('POST', `${OBJECTS}/batch/archive`, 'delete', batchArchive),
  route('POST', `${OBJECTS}/search`, 'search', searchRecords),
  route('POST', `${OBJECTS}/merge`, 'merge', mergeTwo),
  route('POST', `${OBJECTS}/gdpr-delete`, 'delete', gdprDelete),
  route('POST', OBJECTS, 'create', createOne),
  route('GET', OBJECTS, 'read', listAll),
  route('GET', `${OBJECTS}/:id`, 'read', readOne),
  route('PATCH', `${OBJECTS}/:id`, 'update', updateOne),
  route('DELETE', `${OBJECTS}/:id`, 'delete', archiveOne),
  route('PUT', `${RECORD_LINKS}/default/:to/:toId`, 'associate', putDefault),
  route('PUT', `${RECORD_LINKS}/:to/:toId`, 'associate', putTyped),
  route('DELETE', `${RECORD_LINKS}/:to/:toId`, 'associate', deleteAll),
  route('GET', `${RECORD_LINKS}/:to`, 'read', listLinks),
  route('POST', `${LINKS}/batch/associate/default`, 'associate', batchDefault),
  route('POST', `${LINKS}/batch/create`, 'associate', batchTyped),
  route('POST', `${LINKS}/batch/read`, 'read', batchReadLinks),
  route('POST', `${LINKS}/batch/archive`, 'associate', batchArchiveLinks),
  route('POST', `${LINKS}/batch/labels/archive`, 'associate', batchArchiveLabels),
  route('GET', `${LINKS}/labels`, 'read', listLabels),
  route('GET', PROPERTIES, 'property', listProperties),
  route('POST', PROPERTIES, 'property', createProperty),
  route('POST', `${PROPERTIES}/batch/read`, 'property', batchReadProperties),
  route('GET', `${PROPERTIES}/groups`, 'property', listGroups),
  route('POST', `${PROPERTIES}/groups`, 'property', createGroup),
  route('GET', `${PROPERTIES}/:name`, 'property', readProperty),
  route('DELETE', `${PROPERTIES}/:name`, 'property', archiveProperty),
  route('GET', '/account-info/v3/details', 'other', describeAccount),
];

/** The route of a path with its parameters; `method` false when only another method fits. */
export type RouteMatch =
  | { readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly route: null; readonly wrongMethod: boolean };

/** Finds the endpoint. Dated paths (`/crm/objects/2026-09/…`) are the same endpoints. */
export function findRoute(method: string, path: string): RouteMatch {
  const dated = path.replace(/^\/crm\/objects\/\d{4}-\d{2}(?:-beta)?\//, '/crm/v3/objects/');
  const parts = dated.replace(/\/+$/, '').split('/').slice(1).map(decoded);
  let wrongMethod = false;
  for (const candidate of ROUTES) {
    const params = paramsOf(candidate.segments, parts);
    if (!params) continue;
    if (candidate.method === method) return { route: candidate, params };
    wrongMethod = true;
  }
  return { route: null, wrongMethod };
}

function paramsOf(
  segments: readonly string[],
  parts: readonly string[],
): Record<string, string> | null {
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const part = parts[i] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = part;
    else if (segment !== part) return null;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
