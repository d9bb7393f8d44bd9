import type { PropertyDefinition } from '../properties/definition.js';
import type { Filter, SearchQuery } from './search-query.js';

/** Values of one candidate by property name, in stored form. */
export type ValueOf = (propertyName: string) => string | undefined;
export type DefinitionOf = (propertyName: string) => PropertyDefinition | undefined;

/** Any group with all its filters true; no groups means everything. */
export function matchesGroups(
  query: SearchQuery,
  valueOf: ValueOf,
  definitionOf: DefinitionOf,
): boolean {
  return (
    query.groups.length === 0 ||
    query.groups.some((group) =>
      group.every((filter) => matchesFilter(filter, valueOf, definitionOf)),
    )
  );
}

function matchesFilter(filter: Filter, valueOf: ValueOf, definitionOf: DefinitionOf): boolean {
  const raw = valueOf(filter.propertyName);
  const definition = definitionOf(filter.propertyName);
  const has = raw !== undefined && raw !== '';
  const compare = (other: string): number => compareValues(raw ?? '', other, definition);
  switch (filter.operator) {
    case 'HAS_PROPERTY':
      return has;
    case 'NOT_HAS_PROPERTY':
      return !has;
    case 'EQ':
      return has && compare(filter.value) === 0;
    case 'NEQ':
      return !has || compare(filter.value) !== 0;
    case 'LT':
      return has && compare(filter.value) < 0;
    case 'LTE':
      return has && compare(filter.value) <= 0;
    case 'GT':
      return has && compare(filter.value) > 0;
    case 'GTE':
      return has && compare(filter.value) >= 0;
    case 'BETWEEN':
      return has && compare(filter.value) >= 0 && compare(filter.highValue) <= 0;
    case 'IN':
      return has && filter.values.some((value) => compare(value) === 0);
    case 'NOT_IN':
      return !has || filter.values.every((value) => compare(value) !== 0);
    case 'CONTAINS_TOKEN':
      return has && containsToken(raw, filter.value);
    case 'NOT_CONTAINS_TOKEN':
      return !has || !containsToken(raw, filter.value);
    default:
      return filter.operator satisfies never;
  }
}

/** Less than, equal to or more than zero; instants and numbers by size, text without regard to case. */
export function compareValues(
  a: string,
  b: string,
  definition: PropertyDefinition | undefined,
): number {
  if (definition?.type === 'datetime' || definition?.type === 'date')
    return instant(a) - instant(b);
  if (definition?.type === 'number') return Number(a) - Number(b);
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x < y ? -1 : x > y ? 1 : 0;
}

const instant = (text: string): number => (/^-?\d+$/.test(text) ? Number(text) : Date.parse(text));

/** A word, or a part of one with `*`: `*@acme.com`, `ada*`. Addresses fall into words at `@` and dots. */
function containsToken(value: string, token: string): boolean {
  const wanted = token.trim().toLowerCase();
  const words = [value.toLowerCase(), ...value.toLowerCase().split(/[\s@.,;:/_-]+/)];
  if (!wanted.includes('*'))
    return words.includes(wanted) || value.toLowerCase().split(/\s+/).includes(wanted);
  const pattern = wanted.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*');
  return words.some((word) => new RegExp(`^${pattern}$`, 's').test(word));
}
