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

  const withOffer = async <Result>(
    recordType: RecordType,
    items: readonly unknown[],
    run: (offer: Offer) => Promise<readonly Result[]>,
    otherwise: (fault: NotPrepared) => Result,
  ): Promise<readonly Result[]> => {
    if (mapOf(recordType) === undefined) return items.map(() => otherwise(notMapped));
    const known = await offers();
    if ('code' in known) return items.map(() => otherwise(known));
    const offer = known.get(recordType);
    return offer === undefined ? items.map(() => otherwise(notMapped)) : run(offer);
  };
  const withMap = async <Result>(
    recordType: RecordType,
    items: readonly unknown[],
    run: (map: RecordMap) => Promise<readonly Result[]>,
    otherwise: (fault: NotPrepared) => Result,
  ): Promise<readonly Result[]> => {
    const map = mapOf(recordType);
    return map === undefined ? items.map(() => otherwise(notMapped)) : run(map);
  };

  return {
    prepare: async () => {
      const known = await offers();
      if ('code' in known) return known;
      return new Map([...known].map(([recordType, offer]) => [recordType, capabilitiesOf(offer)]));
    },
    create: (recordType, items) => {
      // Begun first: the deadline of a write counts from the call, whatever is asked before it.
      const calls = begin();
      return withOffer(
        recordType,
        items,
        (offer) => createRecords(items, offer, calls),
        notWritten,
      );
    },
    update: (recordType, items) =>
      withMap(recordType, items, (map) => updateRecords(items, map, begin()), notWritten),
    associate: (items) => associateRecords(items, mapOf, begin()),
    read: (recordType, ids) =>
      withMap<ReadResult>(recordType, ids, (map) => readRecords(ids, map, begin), notRead),
    find: (recordType, items) =>
      withOffer<FindResult>(
        recordType,
        items,
        (offer) => findRecords(items, offer, begin),
        notRead,
      ),
    probe: (recordType, items) =>
      withOffer<ProbeResult>(
        recordType,
        items,
        (offer) => probeRecords(items, offer, begin),
        notRead,
      ),
  } satisfies CrmAdapter;
};

const notMapped: NotPrepared = { code: 'not-mapped', retryAtMs: null };

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
