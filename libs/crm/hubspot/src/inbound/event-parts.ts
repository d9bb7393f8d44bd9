import {
  asExternalId,
  canonicalText,
  type CanonicalValue,
  type ExternalId,
  type Origin,
} from '@counterpart/sync-model';

/** One event of a delivery as parsed, nothing checked but that it is an object. */
export type HubspotEvent = Readonly<Record<string, CanonicalValue | undefined>>;

/** Own keys only: an event named `__proto__` or `constructor` finds nothing on a prototype. */
export const valueAt = (event: HubspotEvent, key: string): CanonicalValue | undefined =>
  Object.hasOwn(event, key) ? event[key] : undefined;

export const textAt = (event: HubspotEvent, key: string): string | undefined => {
  const value = valueAt(event, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Ids come as numbers, long ones as text of digits (see `readJson`). Undefined for anything else. */
export const idAt = (event: HubspotEvent, key: string): ExternalId | undefined => {
  const value = valueAt(event, key);
  return value === undefined ? undefined : idOf(value);
};

const idOf = (value: CanonicalValue): ExternalId | undefined => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,20}$/.test(text) ? asExternalId(text) : undefined;
};

/** Undefined when the list is missing, or holds anything that is no id. */
export const idsAt = (event: HubspotEvent, key: string): readonly ExternalId[] | undefined => {
  const value = valueAt(event, key);
  if (!Array.isArray(value)) return undefined;
  const ids = value.map(idOf).filter((id) => id !== undefined);
  return ids.length === value.length ? ids : undefined;
};

/** Milliseconds since the epoch, of the years a date can hold. */
export const occurredAtOf = (event: HubspotEvent): number | undefined => {
  const text = idAt(event, 'occurredAt');
  const ms = text === undefined ? Number.NaN : Number(text);
  return ms > 0 && ms <= 8.64e15 ? ms : undefined;
};

/**
 * What makes the event the same when HubSpot sends it again: all of it but the count of attempts.
 * `eventId` alone is not unique.
 */
export const identityOf = (event: HubspotEvent): string => {
  const { attemptNumber: _attempt, ...rest } = event;
  return canonicalText(rest);
};

/**
 * Whose write caused the event. Ours only by the exact marker; the set of other sources is open.
 * An integration that does not say which one tells us nothing, and neither does any integration as
 * long as we do not know our own marker.
 */
export const originOf = (event: HubspotEvent, ownMarker: string): Origin => {
  const changeSource = textAt(event, 'changeSource');
  if (changeSource === undefined) return 'unknown';
  if (changeSource !== 'INTEGRATION') return 'others';
  const sourceId = sourceIdOf(event);
  if (sourceId === undefined || ownMarker === '') return 'unknown';
  return sourceId === ownMarker ? 'ours' : 'others';
};

/** The marker as seen, for evidence: `INTEGRATION:456`. Printable and bounded, whatever was sent. */
export const originDetailOf = (event: HubspotEvent): string =>
  [textAt(event, 'changeSource') ?? '', sourceIdOf(event) ?? '']
    .join(':')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 100);

const sourceIdOf = (event: HubspotEvent): string | undefined =>
  textAt(event, 'sourceId') ?? idAt(event, 'sourceId');
