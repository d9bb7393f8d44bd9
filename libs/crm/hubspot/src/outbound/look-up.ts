import { batchMax } from './batch-write.js';
import type { BeginCalls, Calls } from './caller.js';
import { batchReadPath, recordPath } from './paths.js';
import { recordOf, type HubspotRecord } from './record.js';
import { readBody, unreadable, type Unreadable } from './unread.js';
import { objectAt, objectsAt, textAt, textsAt, type JsonObject } from './untrusted-json.js';

/** Records by id, or by the value of a property that HubSpot keeps unique. Strongly consistent. */
export interface LookUp {
  readonly objectName: string;
  readonly idProperty: string | null;
  readonly archived: boolean;
  readonly properties: readonly string[];
}

export type LookedUp =
  | { readonly kind: 'found'; readonly record: HubspotRecord }
  | { readonly kind: 'absent' }
  | Unreadable;

/** Lists with `;` between: the ids a record has absorbed, a contact's secondary addresses. */
const mergedIdsProperty = 'hs_merged_object_ids';
const otherEmailsProperty = 'hs_additional_emails';

/**
 * Answers in the order of the ids. A batch read tells which ids exist and which do not; an id it
 * is silent on (one that was merged away, or an answer without verdict) is asked for by itself,
 * where HubSpot follows merges and says plainly when there is nothing.
 */
export const lookUp = async (
  ids: readonly string[],
  question: LookUp,
  begin: BeginCalls,
): Promise<readonly LookedUp[]> => {
  const answers = new Map<string, LookedUp>();
  const distinct = [...new Set(ids)];
  for (let start = 0; start < distinct.length; start += batchMax) {
    const some = distinct.slice(start, start + batchMax);
    const told = await readBatch(some, question, begin());
    for (const id of some) {
      answers.set(id, told.get(id) ?? (await readOne(id, question, begin())));
    }
  }
  return ids.map((id) => answers.get(id) ?? unreadable('no-verdict'));
};

/** What the batch says, by id; ids it says nothing of are missing. */
const readBatch = async (
  ids: readonly string[],
  question: LookUp,
  calls: Calls,
): Promise<ReadonlyMap<string, LookedUp>> => {
  const sent = await calls.send({
    scope: 'call',
    method: 'POST',
    path: batchReadPath(question.objectName, question.archived),
    body: {
      ...(question.idProperty === null ? {} : { idProperty: question.idProperty }),
      properties: askedProperties(question),
      propertiesWithHistory: [],
      inputs: ids.map((id) => ({ id })),
    },
  });
  const read = readBody(sent);
  if (read.kind === 'unreadable') return new Map(ids.map((id) => [id, read]));
  // A 404 for the batch as a whole may mean any of them, or the object type.
  return read.kind === 'absent' ? new Map() : verdictsOf(read.body, ids, question);
};

const askedProperties = ({ properties, idProperty }: LookUp): readonly string[] => [
  ...new Set([
    ...properties,
    ...(idProperty === null ? [] : [idProperty]),
    idProperty === 'email' ? otherEmailsProperty : mergedIdsProperty,
  ]),
];

const verdictsOf = (
  body: JsonObject,
  ids: readonly string[],
  { idProperty }: LookUp,
): ReadonlyMap<string, LookedUp> => {
  const results = objectsAt(body, 'results');
  if (results === undefined) return new Map(ids.map((id) => [id, unreadable('no-verdict')]));
  const records = results.map(recordOf).filter((record) => record !== undefined);
  const missing = missingIds(objectsAt(body, 'errors') ?? []);
  const verdicts = new Map<string, LookedUp>();
  for (const id of ids) {
    const record = records.find((candidate) => isRecordOf(candidate, id, idProperty));
    if (record !== undefined) verdicts.set(id, { kind: 'found', record });
    else if (missing.has(id)) verdicts.set(id, { kind: 'absent' });
  }
  return verdicts;
};

/** Only ids that HubSpot names itself, in an error that says they do not exist. */
const missingIds = (errors: readonly JsonObject[]): ReadonlySet<string> =>
  new Set(
    errors
      .filter((error) => textAt(error, 'category') === 'OBJECT_NOT_FOUND')
      .flatMap((error) => {
        const context = objectAt(error, 'context');
        return context === undefined ? [] : textsAt(context, 'ids');
      }),
  );

const isRecordOf = (record: HubspotRecord, id: string, idProperty: string | null): boolean =>
  idProperty === null
    ? record.id === id || (record.properties[mergedIdsProperty] ?? '').split(';').includes(id)
    : valuesOf(record, idProperty).includes(id.toLowerCase());

/** A contact is found by its secondary addresses too. */
const valuesOf = ({ properties }: HubspotRecord, idProperty: string): readonly string[] => {
  const others = idProperty === 'email' ? (properties[otherEmailsProperty] ?? '') : '';
  return [properties[idProperty] ?? '', ...others.split(';')].map((text) =>
    text.trim().toLowerCase(),
  );
};

const readOne = async (id: string, question: LookUp, calls: Calls): Promise<LookedUp> => {
  const properties = askedProperties(question);
  const path = recordPath(question.objectName, { ...question, id, properties });
  const read = readBody(await calls.send({ scope: 'call', method: 'GET', path }));
  if (read.kind !== 'body') return read;
  const record = recordOf(read.body);
  return record === undefined ? unreadable('no-verdict') : { kind: 'found', record };
};
