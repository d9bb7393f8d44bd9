import { standardProperties } from '../properties/definition.js';
import { matchesGroups } from './match-snapshot.js';
import { parseSearch } from './search-query.js';

const VALUES: Record<string, string> = {
  email: 'ada@acme.com',
  firstname: 'Ada',
  numemployees: '9',
  lastmodifieddate: '1700000000123',
};
const definitions = new Map(
  standardProperties('contacts').map((property) => [property.name, property]),
);

const holds = (filters: unknown[]): boolean => {
  const query = parseSearch({ filterGroups: [{ filters }] });
  if (!query.ok) throw new Error(query.error.message);
  return matchesGroups(
    query.value,
    (name) => VALUES[name],
    (name) => definitions.get(name),
  );
};

describe('filters', () => {
  it.each([
    [
      'EQ, whatever the case',
      { propertyName: 'email', operator: 'EQ', value: 'ADA@acme.com' },
      true,
    ],
    ['EQ of another', { propertyName: 'email', operator: 'EQ', value: 'ada@acme.co' }, false],
    ['NEQ of what is empty', { propertyName: 'lastname', operator: 'NEQ', value: 'x' }, true],
    ['IN', { propertyName: 'email', operator: 'IN', values: ['x@y.z', 'ada@acme.com'] }, true],
    ['NOT_IN', { propertyName: 'email', operator: 'NOT_IN', values: ['x@y.z'] }, true],
    [
      'GT by size, not by text',
      { propertyName: 'numemployees', operator: 'GT', value: '10' },
      false,
    ],
    [
      'GTE an instant in ms',
      { propertyName: 'lastmodifieddate', operator: 'GTE', value: '1700000000123' },
      true,
    ],
    [
      'GT the same instant',
      { propertyName: 'lastmodifieddate', operator: 'GT', value: '1700000000123' },
      false,
    ],
    [
      'GTE an instant as ISO text',
      { propertyName: 'lastmodifieddate', operator: 'GTE', value: '2023-11-14T22:13:20Z' },
      true,
    ],
    ['LT', { propertyName: 'lastmodifieddate', operator: 'LT', value: '1700000000124' }, true],
    ['LTE', { propertyName: 'lastmodifieddate', operator: 'LTE', value: '1700000000122' }, false],
    [
      'BETWEEN',
      { propertyName: 'numemployees', operator: 'BETWEEN', value: '1', highValue: '9' },
      true,
    ],
    ['HAS_PROPERTY', { propertyName: 'lastname', operator: 'HAS_PROPERTY' }, false],
    ['NOT_HAS_PROPERTY', { propertyName: 'lastname', operator: 'NOT_HAS_PROPERTY' }, true],
    [
      'CONTAINS_TOKEN with a star',
      { propertyName: 'email', operator: 'CONTAINS_TOKEN', value: '*@acme.com' },
      true,
    ],
    [
      'CONTAINS_TOKEN of a word',
      { propertyName: 'email', operator: 'CONTAINS_TOKEN', value: 'acme' },
      true,
    ],
    [
      'CONTAINS_TOKEN of half a word',
      { propertyName: 'email', operator: 'CONTAINS_TOKEN', value: 'acm' },
      false,
    ],
  ])('%s', (_name, filter, expected) => expect(holds([filter])).toBe(expected));

  it('joins filters by and, groups by or', () => {
    const no = { propertyName: 'email', operator: 'EQ', value: 'no' };
    const yes = { propertyName: 'firstname', operator: 'EQ', value: 'ada' };
    expect(holds([yes, no])).toBe(false);
    const query = parseSearch({ filterGroups: [{ filters: [no] }, { filters: [yes] }] });
    expect(
      query.ok &&
        matchesGroups(
          query.value,
          (name) => VALUES[name],
          () => undefined,
        ),
    ).toBe(true);
  });
});

describe('limits of a search', () => {
  const filter = { propertyName: 'email', operator: 'EQ', value: 'x' };
  const group = (n: number) => ({ filters: Array.from({ length: n }, () => filter) });
  it.each([
    ['limit above 200', { limit: 201 }],
    ['beyond the first 10,000', { limit: 200, after: '9801' }],
    ['six groups', { filterGroups: Array.from({ length: 6 }, () => group(1)) }],
    ['seven filters in a group', { filterGroups: [group(7)] }],
    ['nineteen filters', { filterGroups: [group(5), group(5), group(5), group(4)] }],
    ['two sorts', { sorts: ['a', 'b'] }],
    ['a body above 3,000 characters', { query: 'x'.repeat(3_000) }],
    ['an unknown operator', { filterGroups: [{ filters: [{ ...filter, operator: 'LIKE' }] }] }],
    [
      'IN without values',
      { filterGroups: [{ filters: [{ propertyName: 'email', operator: 'IN' }] }] },
    ],
    ['no object', []],
  ])('refuses %s', (_name, body) => {
    const parsed = parseSearch(body);
    expect(parsed.ok ? 'taken' : parsed.error.status).toBe(400);
  });

  it.each([
    [{}],
    [{ limit: 200, after: '9800' }],
    [{ sorts: ['-createdate'] }],
    [{ filters: [filter] }],
    [{ sorts: [{ propertyName: 'createdate', direction: 'DESCENDING' }] }],
  ])('takes %j', (body) => expect(parseSearch(body).ok).toBe(true));
});
