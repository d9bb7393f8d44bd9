import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, invalidInput } from '../answers/errors.js';
import { isObject, textOf, textsOf } from '../answers/json.js';

const OPERATORS = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Filter {
  readonly propertyName: string;
  readonly operator: Operator;
  readonly value: string;
  readonly highValue: string;
  readonly values: readonly string[];
}

export interface SearchQuery {
  readonly groups: readonly (readonly Filter[])[];
  readonly text: string;
  readonly sort: { readonly propertyName: string; readonly descending: boolean } | null;
  readonly properties: readonly string[] | null;
  readonly limit: number;
  readonly after: number;
}

const GROUPS_MAX = 5;
const FILTERS_MAX = 6;
const ALL_FILTERS_MAX = 18;
const BODY_MAX = 3_000;
const LIMIT_MAX = 200;
/** Search shows the first so many results of a query and refuses to go on. */
const RESULTS_MAX = 10_000;

/** Reads a search body with HubSpot's limits: 400 beyond any of them. */
export function parseSearch(body: unknown): Result<SearchQuery> {
  if (!isObject(body)) return refuse(invalidInput('an object is expected'));
  if (JSON.stringify(body).length > BODY_MAX)
    return refuse(invalid(`The search body exceeds ${BODY_MAX} characters.`));
  const groups = parseGroups(body['filterGroups'], body['filters']);
  if (!groups.ok) return groups;
  const sort = parseSort(body['sorts']);
  if (!sort.ok) return sort;
  const limit = Number(body['limit'] ?? 10);
  const after = Number(body['after'] === '' ? 0 : (body['after'] ?? 0));
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMIT_MAX) {
    return refuse(invalid(`limit must be between 0 and ${LIMIT_MAX}.`));
  }
  if (!Number.isInteger(after) || after < 0)
    return refuse(invalid('after is not a valid paging value.'));
  if (after + limit > RESULTS_MAX) {
    return refuse(
      invalid(`Search results are limited to the first ${RESULTS_MAX}; refine the query.`),
    );
  }
  const properties = textsOf(body['properties'] ?? []);
  if (!properties) return refuse(invalidInput('properties must be an array of texts'));
  return ok({
    groups: groups.value,
    text: textOf(body['query']) ?? '',
    sort: sort.value,
    properties: properties.length > 0 ? properties : null,
    limit,
    after,
  });
}

function parseGroups(filterGroups: unknown, filters: unknown): Result<Filter[][]> {
  const groups = filterGroups ?? (filters ? [{ filters }] : []);
  if (!Array.isArray(groups)) return refuse(invalidInput('filterGroups must be an array'));
  if (groups.length > GROUPS_MAX)
    return refuse(invalid(`At most ${GROUPS_MAX} filterGroups are allowed.`));
  const parsed: Filter[][] = [];
  for (const group of groups) {
    const members: unknown = isObject(group) ? group['filters'] : undefined;
    if (!Array.isArray(members)) return refuse(invalidInput('each filter group needs filters'));
    if (members.length > FILTERS_MAX)
      return refuse(invalid(`At most ${FILTERS_MAX} filters per group are allowed.`));
    const read = members.map(parseFilter);
    const bad = read.find((filter) => typeof filter === 'string');
    if (bad !== undefined) return refuse(invalid(bad));
    parsed.push(read.filter((filter) => typeof filter !== 'string'));
  }
  if (parsed.flat().length > ALL_FILTERS_MAX)
    return refuse(invalid(`At most ${ALL_FILTERS_MAX} filters are allowed.`));
  return ok(parsed);
}

function parseFilter(input: unknown): Filter | string {
  if (!isObject(input)) return 'a filter must be an object';
  const operator = OPERATORS.find((known) => known === input['operator']);
  const propertyName = textOf(input['propertyName']);
  const values = textsOf(input['values'] ?? []);
  const value = textOf(input['value']);
  if (!propertyName) return 'a filter needs a propertyName';
  if (!operator) return `${JSON.stringify(input['operator'])} is not a filter operator`;
  const isList = operator === 'IN' || operator === 'NOT_IN';
  if (!values || (isList && values.length === 0)) return `${operator} needs values`;
  const needsValue = !isList && !operator.endsWith('HAS_PROPERTY');
  if (needsValue && value === undefined) return `${operator} needs a value`;
  return {
    propertyName,
    operator,
    value: value ?? '',
    highValue: textOf(input['highValue']) ?? '',
    values,
  };
}

function parseSort(input: unknown): Result<SearchQuery['sort']> {
  if (input === undefined || input === null) return ok(null);
  if (!Array.isArray(input)) return refuse(invalidInput('sorts must be an array'));
  if (input.length > 1) return refuse(invalid('Only one sort is allowed.'));
  const first: unknown = input[0];
  const text = textOf(first);
  if (first === undefined) return ok(null);
  if (text !== undefined)
    return ok({ propertyName: text.replace(/^-/, ''), descending: text.startsWith('-') });
  const propertyName = isObject(first) ? textOf(first['propertyName']) : undefined;
  if (!isObject(first) || !propertyName) return refuse(invalidInput('a sort needs a propertyName'));
  return ok({ propertyName, descending: first['direction'] === 'DESCENDING' });
}
