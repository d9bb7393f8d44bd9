import type { BeginCalls, Calls } from './caller.js';
import { searchPath } from './paths.js';
import { recordOf, type HubspotRecord } from './record.js';
import { readBody, unreadable, type Unreadable } from './unread.js';
import { objectAt, objectsAt, textAt, type JsonObject } from './untrusted-json.js';

/** Records by the values of one property. Behind the writes by HubSpot's index lag. */
export interface Search {
  readonly objectName: string;
  readonly property: string;
  readonly properties: readonly string[];
}

/** HubSpot's limits of one search: values in a filter, results in a page, size of the question. */
const valuesMax = 100;
const pageMax = 200;
const bodyMax = 3_000;
/** More pages than this for a hundred values that should be unique: something else is wrong. */
const pagesMax = 20;

type Searched =
  { readonly kind: 'records'; readonly records: readonly HubspotRecord[] } | Unreadable;

/**
 * For every value the records that hold it, compared without case. Values whose question could not
 * be answered in full are `unreadable`; a page that is missing may hold the record looked for.
 */
export const searchByValue = async (
  values: readonly string[],
  search: Search,
  begin: BeginCalls,
): Promise<readonly Searched[]> => {
  const answers = new Map<string, Searched>();
  for (const some of questionsOf(values, search)) {
    const searched = await readPages(some, search, begin());
    for (const value of some) answers.set(value, ofValue(searched, value, search.property));
  }
  return values.map((value) => answers.get(lowerCase(value)) ?? unreadable('no-verdict'));
};

const ofValue = (searched: Searched, value: string, property: string): Searched =>
  searched.kind === 'records'
    ? {
        kind: 'records',
        records: searched.records.filter(
          (record) => lowerCase(record.properties[property] ?? '') === value,
        ),
      }
    : searched;

/** HubSpot compares texts of an `IN` filter in lower case. */
const lowerCase = (text: string): string => text.trim().toLowerCase();

/** The values in groups that fit one question. A value too long for any is asked for alone. */
const questionsOf = (values: readonly string[], search: Search): readonly string[][] => {
  const groups: string[][] = [];
  let group: string[] = [];
  for (const value of new Set(values.map(lowerCase))) {
    const isFull =
      group.length === valuesMax ||
      JSON.stringify(questionOf([...group, value], search, '0000000000')).length > bodyMax;
    if (isFull && group.length > 0) group = [];
    if (group.length === 0) groups.push(group);
    group.push(value);
  }
  return groups;
};

const questionOf = (
  values: readonly string[],
  { property, properties }: Search,
  after: string | null,
): JsonObject => ({
  filterGroups: [{ filters: [{ propertyName: property, operator: 'IN', values }] }],
  properties: [...new Set([...properties, property])],
  limit: pageMax,
  ...(after === null ? {} : { after }),
});

const readPages = async (
  values: readonly string[],
  search: Search,
  calls: Calls,
): Promise<Searched> => {
  const records: HubspotRecord[] = [];
  let after: string | null = null;
  for (let number = 0; number < pagesMax; number += 1) {
    const sent = await calls.send({
      scope: 'search',
      method: 'POST',
      path: searchPath(search.objectName),
      body: questionOf(values, search, after),
    });
    const read = readBody(sent);
    if (read.kind === 'unreadable') return read;
    const results = read.kind === 'body' ? objectsAt(read.body, 'results') : undefined;
    if (read.kind === 'absent' || results === undefined) return unreadable('no-verdict');
    const page = results.map(recordOf).filter((record) => record !== undefined);
    if (page.length !== results.length) return unreadable('no-verdict');
    records.push(...page);
    after = nextPageOf(read.body);
    if (after === null) return { kind: 'records', records };
  }
  return unreadable('too-many-matches');
};

const nextPageOf = (body: JsonObject): string | null => {
  const paging = objectAt(body, 'paging');
  const next = paging && objectAt(paging, 'next');
  return (next && textAt(next, 'after')) ?? null;
};
