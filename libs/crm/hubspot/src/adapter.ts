import type {
  Connection,
  CrmAdapter,
  CrmAdapterFactory,
  CrmPorts,
  FindResult,
  ProbeResult,
  ReadResult,
  RecordMap,
  WriteResult,
} from '@counterpart/crm-port';
import type { RecordType } from '@counterpart/sync-model';
import { associateRecords } from './outbound/associate.js';
import { createCaller } from './outbound/caller.js';
import { createRecords } from './outbound/create.js';
import { findRecords } from './outbound/find.js';
import { capabilitiesOf, type Offer } from './outbound/offers.js';
import { prepareOffers, type NotPrepared, type Offers } from './outbound/prepare.js';
import { probeRecords } from './outbound/probe.js';
import { readRecords } from './outbound/read.js';
import { updateRecords } from './outbound/update.js';
import { refusedAsUnmapped } from './outbound/refusals.js';
import { unreadable } from './outbound/unread.js';

/**
 * HubSpot for one connection. Remembers only what the portal offers; until that is known nothing is
 * written, since a create by a weaker path than another process takes would not find its records.
 */
export const createHubspotAdapter: CrmAdapterFactory = (connection, ports) => {
  const begin = createCaller(connection, ports);
  const offers = rememberOffers(connection, ports);
  const mapOf = (recordType: RecordType) =>
    connection.records.find((map) => map.recordType === recordType);

  const mapFor = (recordType: RecordType): Known<RecordMap> => knownOr(mapOf(recordType));
  const offerFor = async (recordType: RecordType): Promise<Known<Offer>> => {
    if (mapOf(recordType) === undefined) return { fault: notMapped };
    const known = await offers();
    return 'code' in known ? { fault: known } : knownOr(known.get(recordType));
  };

  return {
    prepare: async () => {
      const known = await offers();
      if ('code' in known) return known;
      return new Map([...known].map(([recordType, offer]) => [recordType, capabilitiesOf(offer)]));
    },
    create: async (recordType, items) => {
      // Begun first: the deadline of a write counts from the call, whatever is asked before it.
      const calls = begin();
      const offer = await offerFor(recordType);
      return answer(offer, items, notWritten, (known) => createRecords(items, known, calls));
    },
    update: (recordType, items) =>
      answer(mapFor(recordType), items, notWritten, (map) => updateRecords(items, map, begin())),
    associate: (items) => associateRecords(items, mapOf, begin()),
    read: (recordType, ids) =>
      answer<RecordMap, ReadResult>(mapFor(recordType), ids, notRead, (map) =>
        readRecords(ids, map, begin),
      ),
    find: async (recordType, items) =>
      answer<Offer, FindResult>(await offerFor(recordType), items, notRead, (offer) =>
        findRecords(items, offer, begin),
      ),
    probe: async (recordType, items) =>
      answer<Offer, ProbeResult>(await offerFor(recordType), items, notRead, (offer) =>
        probeRecords(items, offer, begin),
      ),
  } satisfies CrmAdapter;
};

const notMapped: NotPrepared = { code: 'not-mapped', retryAtMs: null };

type Known<Value> = { readonly value: Value } | { readonly fault: NotPrepared };

const knownOr = <Value>(value: Value | undefined): Known<Value> =>
  value === undefined ? { fault: notMapped } : { value };

/** Runs when what it needs is known; otherwise every item gets the same answer. */
const answer = async <Value, Result>(
  known: Known<Value>,
  items: readonly unknown[],
  otherwise: (fault: NotPrepared) => Result,
  run: (value: Value) => Promise<readonly Result[]>,
): Promise<readonly Result[]> =>
  'fault' in known ? items.map(() => otherwise(known.fault)) : run(known.value);

/** Asked once, by whoever comes first; a question that got no answer is asked again. */
const rememberOffers = (connection: Connection, ports: CrmPorts) => {
  let asked: Promise<Offers | NotPrepared> | null = null;
  return async (): Promise<Offers | NotPrepared> => {
    asked ??= prepareOffers(connection, createCaller(connection, ports));
    const mine = asked;
    const offers = await mine;
    if ('code' in offers && asked === mine) asked = null;
    return offers;
  };
};

const notWritten = ({ code, retryAtMs }: NotPrepared): WriteResult => {
  if (code === notMapped.code) return refusedAsUnmapped;
  return retryAtMs === null ? { kind: 'unsent', code } : { kind: 'throttled', retryAtMs, code };
};

const notRead = ({ code, retryAtMs }: NotPrepared) => unreadable(code, retryAtMs);
