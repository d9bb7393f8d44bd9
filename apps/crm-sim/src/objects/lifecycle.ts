import { ok, refuse, type Result } from '../answers/answer.js';
import type { Portal } from '../portals/portal.js';
import { isLive, type ChangeOrigin, type CrmRecord } from './record.js';
import { uniqueClash } from './unique-values.js';
import { touch } from './write-record.js';

/** Puts a record into the recycle bin. Its links stay, hidden, so that a restore brings them back. */
export function archiveRecord(portal: Portal, record: CrmRecord, origin: ChangeOrigin): void {
  if (!isLive(record)) return;
  record.archivedAtMs = portal.clock.nowMs();
  if (!portal.behaviour.archivedHoldsUnique) release(portal, record);
  touch(portal, record);
  const subject = { type: record.type, id: record.id, origin, atMs: record.archivedAtMs };
  portal.publish([portal.events.deletion(subject)]);
}

/** Takes a record out of the recycle bin; refused (409) when another has taken a unique value since. */
export function restoreRecord(
  portal: Portal,
  record: CrmRecord,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  if (isLive(record)) return ok(record);
  const clash = uniqueClash(portal, record.type, record.properties, record);
  if (clash) return refuse(clash);
  record.archivedAtMs = null;
  portal.records.holdUnique(record, portal.properties.uniqueNames(record.type));
  touch(portal, record);
  const subject = { type: record.type, id: record.id, origin, atMs: portal.clock.nowMs() };
  portal.publish([portal.events.restore(subject)]);
  return ok(record);
}

/**
 * Erases a record for good. Two separate messages go out, the deletion and the privacy deletion;
 * nothing ties their order.
 */
export function eraseRecord(portal: Portal, record: CrmRecord, origin: ChangeOrigin): void {
  if (record.erased) return;
  const wasLive = isLive(record);
  release(portal, record);
  record.erased = true;
  record.archivedAtMs = record.archivedAtMs ?? portal.clock.nowMs();
  record.properties = new Map();
  record.history.clear();
  portal.associations.clear(record.type.name, record.id);
  touch(portal, record);
  const subject = { type: record.type, id: record.id, origin, atMs: portal.clock.nowMs() };
  portal.publish([
    portal.events.privacyDeletion(subject),
    ...(wasLive ? [portal.events.deletion(subject)] : []),
  ]);
}

const release = (portal: Portal, record: CrmRecord): void =>
  portal.records.releaseUnique(record, portal.properties.uniqueNames(record.type));
