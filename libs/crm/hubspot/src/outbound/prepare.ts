import type { Connection, RecordMap } from '@counterpart/crm-port';
import type { RecordType } from '@counterpart/sync-model';
import { uniqueKeyProperty } from '../object-types.js';
import type { BeginCalls, Calls, Sent } from './caller.js';
import { classifyAnswer, type Failure } from './classify.js';
import { mapsWithOwnKey, offerOf, type Offer, type UniqueKey } from './offers.js';
import { propertiesPath, propertyPath } from './paths.js';
import { parseObject, textAt, type JsonObject } from './untrusted-json.js';

export type Offers = ReadonlyMap<RecordType, Offer>;
/** `prepare` could not be finished; what the source offers is not known yet. */
export interface NotPrepared {
  readonly code: string;
  readonly retryAtMs: number | null;
}

type Finding =
  | { readonly kind: 'key'; readonly key: UniqueKey }
  | { readonly kind: 'not-yet'; readonly fault: NotPrepared };

/**
 * Finds out how each record type can be kept single, and makes our own unique property where the
 * portal allows it. Only a clear no of HubSpot lowers what is offered; a limit, a lost answer or a
 * bad token leaves the question open, since guessing low would send creates that nothing protects.
 */
export const prepareOffers = async (
  connection: Connection,
  begin: BeginCalls,
): Promise<Offers | NotPrepared> => {
  const setting = connection.settings['uniqueProperty'] ?? 'auto';
  if (setting !== 'auto' && setting !== 'never') return { code: 'settings', retryAtMs: null };
  const keyed = setting === 'auto' ? mapsWithOwnKey(connection) : [];
  const offers = new Map(
    connection.records.map((map) => [map.recordType, offerOf(map, 'unavailable')]),
  );
  for (const map of keyed) {
    const finding = await findOrMakeKey(map, begin());
    if (finding.kind === 'not-yet') return finding.fault;
    offers.set(map.recordType, offerOf(map, finding.key));
  }
  return offers;
};

const findOrMakeKey = async (map: RecordMap, calls: Calls): Promise<Finding> => {
  const present = await readProperty(map.objectName, uniqueKeyProperty, calls);
  if (present.kind !== 'absent') return findingOf(present);
  const made = await makeProperty(map, calls);
  // Somebody else, most likely another instance of us, made it in between.
  return made.kind === 'exists'
    ? findingOf(await readProperty(map.objectName, uniqueKeyProperty, calls))
    : findingOf(made);
};

type PropertyAnswer =
  | { readonly kind: 'property'; readonly property: JsonObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** A property of our name that HubSpot does not keep unique protects nothing, so it is not used. */
const findingOf = (answer: PropertyAnswer): Finding => {
  switch (answer.kind) {
    case 'property':
      return {
        kind: 'key',
        key: answer.property['hasUniqueValue'] === true ? 'available' : 'unavailable',
      };
    case 'refused':
    case 'absent':
    case 'exists':
      return { kind: 'key', key: 'unavailable' };
    case 'failure':
      return { kind: 'not-yet', fault: notPrepared(answer.failure) };
    default:
      return answer satisfies never;
  }
};

const notPrepared = (failure: Failure): NotPrepared => ({
  code: failure.code,
  retryAtMs: failure.kind === 'throttled' ? failure.retryAtMs : null,
});

const readProperty = async (
  objectName: string,
  property: string,
  calls: Calls,
): Promise<PropertyAnswer> =>
  judge(
    await calls.send({ scope: 'call', method: 'GET', path: propertyPath(objectName, property) }),
  );

/** A property needs a group, and group names differ by type: ours joins one the plan maps. */
const makeProperty = async (map: RecordMap, calls: Calls): Promise<PropertyAnswer> => {
  const neighbour = map.fields[0];
  if (neighbour === undefined) return { kind: 'refused' };
  const model = await readProperty(map.objectName, neighbour.property, calls);
  if (model.kind === 'absent') return { kind: 'refused' };
  if (model.kind !== 'property') return model;
  const sent = await calls.send({
    scope: 'call',
    method: 'POST',
    path: propertiesPath(map.objectName),
    body: {
      name: uniqueKeyProperty,
      label: 'Counterpart key',
      description: 'Set by Counterpart so that a record is never made twice. Do not edit.',
      groupName: textAt(model.property, 'groupName') ?? '',
      type: 'string',
      fieldType: 'text',
      hasUniqueValue: true,
      formField: false,
    },
  });
  return judge(sent);
};

const judge = (sent: Sent): PropertyAnswer => {
  if (sent.kind !== 'answer') return { kind: 'failure', failure: sent };
  if (sent.status >= 200 && sent.status < 300) {
    const property = parseObject(sent.body);
    return property === undefined
      ? { kind: 'failure', failure: { kind: 'unknown', code: 'no-verdict' } }
      : { kind: 'property', property };
  }
  const failure = classifyAnswer(sent, sent.answeredAtMs);
  if (failure.kind !== 'refused' || failure.code === 'credentials') {
    return { kind: 'failure', failure };
  }
  if (failure.code === 'not-found') return { kind: 'absent' };
  return { kind: failure.code === 'already-exists' ? 'exists' : 'refused' };
};
