import type { ProbeItem, ProbeResult } from '@counterpart/crm-port';
import type { BeginCalls } from './caller.js';
import { byKeys, byUniqueValue } from './find.js';
import { markerKeyOf, matchKeyOf, uniqueKeyOf } from './keys.js';
import type { Offer } from './offers.js';
import { readRecords } from './read.js';
import { unreadable } from './unread.js';

/**
 * Looks for the result of one operation: an update by its record, a create by the key HubSpot keeps
 * unique, else by the marker or the match field. A create that has none of these cannot be told
 * from any other record, and that is said, since "absent" would let it be made again.
 */
export const probeRecords = async (
  items: readonly ProbeItem[],
  offer: Offer,
  begin: BeginCalls,
): Promise<readonly ProbeResult[]> => {
  const updates = items.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  const creates = items.filter(({ externalId }) => externalId === null);
  const read = updates.length === 0 ? [] : await readRecords(updates, offer.map, begin);
  const probed = await probeCreates(creates, offer, begin);
  let nextRead = 0;
  let nextProbed = 0;
  return items.map(({ externalId }) => {
    const answer = externalId === null ? probed[nextProbed++] : read[nextRead++];
    return answer ?? unreadable('no-verdict');
  });
};

const probeCreates = async (
  items: readonly ProbeItem[],
  offer: Offer,
  begin: BeginCalls,
): Promise<readonly ProbeResult[]> => {
  const unique = items.map((item) => uniqueKeyOf(offer, item));
  const withKey = unique.filter((key) => key !== null);
  const strong = await byUniqueValue(withKey, offer.map, begin);
  const strongByKey = new Map(withKey.map((key, index) => [key, strong[index]]));
  const told = unique.map((key) => (key === null ? undefined : strongByKey.get(key)));
  if (offer.createPath === 'conflict-adopt') return told.map((answer) => answer ?? noKey);
  // Also for what the unique key does not find: the create may have gone out before the portal
  // allowed that key, and then only its marker or match value shows it.
  const weak = items.map((item, index) => {
    const isOpen = told[index] === undefined || told[index]?.kind === 'absent';
    return isOpen ? (markerKeyOf(offer.map, item) ?? matchKeyOf(offer.map, item)) : null;
  });
  const searched = await byKeys(weak, offer, begin, noKey);
  return items.map((_item, index) => {
    const answer = told[index];
    if (answer !== undefined && (answer.kind !== 'absent' || weak[index] === null)) return answer;
    return searched[index] ?? noKey;
  });
};

const noKey = unreadable('no-match-key');
