import type { Answer } from '../answers/answer.js';
import { invalid } from '../answers/errors.js';
import type { ObjectType } from '../objects/object-types.js';
import { systemProperties } from '../objects/render-record.js';
import type { Portal } from '../portals/portal.js';
import { instantText, shownValue } from '../properties/values.js';
import { answerOf, refusal, typeIn, type ApiHandler } from '../server/api-request.js';
import { compareValues, matchesGroups } from './match-snapshot.js';
import type { Snapshot } from './search-index.js';
import { parseSearch, type SearchQuery } from './search-query.js';

/** `POST /crm/v3/objects/{type}/search`: what the index knows, which is the past. */
export const searchRecords: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(parseSearch(request.body), (query) => {
      const unknown = unknownProperty(portal, type, query);
      if (unknown)
        return refusal(
          invalid(`There was a problem with the request: property ${unknown} does not exist.`),
        );
      return runSearch(portal, type, query);
    }),
  );

function unknownProperty(portal: Portal, type: ObjectType, query: SearchQuery): string | undefined {
  const named = query.groups.flat().map((filter) => filter.propertyName);
  const sorted = query.sort ? [query.sort.propertyName] : [];
  return [...named, ...sorted].find((name) => !portal.properties.find(type, name));
}

function runSearch(portal: Portal, type: ObjectType, query: SearchQuery): Answer {
  const definitionOf = (name: string) => portal.properties.find(type, name);
  const text = query.text.trim().toLowerCase();
  const found = portal
    .index(type)
    .visible(portal.clock.nowMs())
    .filter((snapshot) => matchesGroups(query, valuesOf(type, snapshot), definitionOf))
    .filter(
      (snapshot) =>
        text === '' ||
        [...snapshot.properties.values()].some((v) => v.toLowerCase().includes(text)),
    );
  const sort = query.sort;
  if (sort) {
    const sign = sort.descending ? -1 : 1;
    const key = (snapshot: Snapshot): string => valuesOf(type, snapshot)(sort.propertyName) ?? '';
    found.sort((a, b) => sign * compareValues(key(a), key(b), definitionOf(sort.propertyName)));
  }
  const end = query.after + query.limit;
  return {
    status: 200,
    body: {
      total: found.length,
      results: found
        .slice(query.after, end)
        .map((snapshot) => renderSnapshot(portal, type, snapshot, query)),
      ...(end < found.length && { paging: { next: { after: String(end) } } }),
    },
  };
}

/** Stored values with the system's own beside them; instants compare as epoch ms or ISO alike. */
function valuesOf(type: ObjectType, snapshot: Snapshot): (name: string) => string | undefined {
  return (name) => {
    if (name === 'hs_object_id') return snapshot.id;
    if (name === type.createdProperty) return String(snapshot.createdAtMs);
    if (name === type.modifiedProperty) return String(snapshot.updatedAtMs);
    return snapshot.properties.get(name);
  };
}

function renderSnapshot(portal: Portal, type: ObjectType, snapshot: Snapshot, query: SearchQuery) {
  const properties: Record<string, string | null> = systemProperties({ type, ...snapshot });
  for (const name of query.properties ?? type.defaultProperties) {
    const definition = portal.properties.find(type, name);
    if (!definition || name in properties) continue;
    const value = snapshot.properties.get(name);
    properties[name] = value === undefined ? null : shownValue(definition, value);
  }
  return {
    id: snapshot.id,
    properties,
    createdAt: instantText(snapshot.createdAtMs),
    updatedAt: instantText(snapshot.updatedAtMs),
    archived: false,
  };
}
