import { ok, refuse, type Result } from '../answers/answer.js';
import { invalid, notFound } from '../answers/errors.js';
import { associationOf, defaultAssociation } from '../associations/association-types.js';
import { showPrimaryCompany } from '../associations/link-records.js';
import type { Portal } from '../portals/portal.js';
import { splitList } from '../properties/values.js';
import type { ObjectType } from './object-types.js';
import { applyValues, type ChangeOrigin, type CrmRecord } from './record.js';
import { touch } from './write-record.js';

/** HubSpot merges at most so many records into one. */
const MERGES_MAX = 250;

/**
 * Merges two records. By regime the result keeps the primary's id or is a third, new record; the
 * ids that go read as the survivor from then on. Tells of the merge and then of each id that went;
 * there are no property events.
 */
export function mergeRecords(
  portal: Portal,
  type: ObjectType,
  primaryId: string,
  loserId: string,
  origin: ChangeOrigin,
): Result<CrmRecord> {
  const pair = mergeable(portal, type, primaryId, loserId);
  if (!pair.ok) return pair;
  const { primary, loser } = pair.value;
  const moved = movedValues(primary, loser);
  const unique = portal.properties.uniqueNames(type);
  [primary, loser].forEach((record) => portal.records.releaseUnique(record, unique));
  const survivor =
    portal.behaviour.mergeRegime === 'keep-primary' ? primary : thirdRecord(portal, primary, loser);
  const gone = [primary, loser].filter((record) => record !== survivor);
  applyValues(
    survivor,
    mergedValues(primary, loser, moved, survivor.id),
    origin,
    portal.clock.nowMs(),
  );
  portal.records.holdUnique(survivor, unique);
  gone.forEach((record) => absorb(portal, record, survivor));
  showPrimaryCompany(portal, survivor);
  touch(portal, survivor);
  announce(portal, primary, loser, survivor, gone, moved.size, origin);
  return ok(survivor);
}

function mergeable(portal: Portal, type: ObjectType, primaryId: string, loserId: string) {
  if (!type.mergeable) return refuse(invalid(`Merging ${type.name} is not supported.`));
  if (primaryId === loserId)
    return refuse(invalid(`Cannot merge object ${primaryId} into itself.`));
  const primary = portal.records.find(type, primaryId);
  const loser = portal.records.find(type, loserId);
  for (const [id, record] of [
    [primaryId, primary],
    [loserId, loser],
  ] as const) {
    if (!record || record.erased || record.archivedAtMs !== null) return refuse(notFound(id));
    if (record.mergedInto !== null) {
      return refuse(
        invalid(
          `${id} is not canonical (canonical id ${record.mergedInto}), so it cannot be merged.`,
        ),
      );
    }
  }
  if (!primary || !loser) return refuse(notFound(primaryId));
  if (splitList(primary.properties.get('hs_merged_object_ids')).length >= MERGES_MAX) {
    return refuse(invalid(`Object ${primaryId} has reached the limit of ${MERGES_MAX} merges.`));
  }
  return ok({ primary, loser });
}

/** The primary's values win; the loser fills what is empty. */
function movedValues(primary: CrmRecord, loser: CrmRecord): Map<string, string> {
  return new Map([...loser.properties].filter(([name]) => !primary.properties.has(name)));
}

function mergedValues(
  primary: CrmRecord,
  loser: CrmRecord,
  moved: ReadonlyMap<string, string>,
  survivorId: string,
): Map<string, string> {
  const values = new Map([...primary.properties, ...moved]);
  const listed = (name: string): string[] =>
    [primary, loser].flatMap((record) => splitList(record.properties.get(name)));
  const joinSecond = (name: string, listName: string): void => {
    const second = primary.properties.has(name) ? loser.properties.get(name) : undefined;
    const all = [...new Set([...listed(listName), ...(second ? [second] : [])])];
    if (all.length > 0)
      values.set(listName, all.filter((one) => one !== values.get(name)).join(';'));
  };
  if (primary.type.name === 'contacts') {
    joinSecond('email', 'hs_additional_emails');
    const mergedAt = (record: CrmRecord): string => `${record.id}:${record.updatedAtMs}`;
    values.set(
      'hs_calculated_merged_vids',
      [...listed('hs_calculated_merged_vids'), mergedAt(loser)].join(';'),
    );
  }
  if (primary.type.name === 'companies') joinSecond('domain', 'hs_additional_domains');
  const absorbed = new Set([...listed('hs_merged_object_ids'), primary.id, loser.id]);
  absorbed.delete(survivorId);
  values.set('hs_merged_object_ids', [...absorbed].join(';'));
  return values;
}

function thirdRecord(portal: Portal, primary: CrmRecord, loser: CrmRecord): CrmRecord {
  const oldest = primary.createdAtMs <= loser.createdAtMs ? primary : loser;
  const record: CrmRecord = {
    ...oldest,
    id: portal.records.nextId(primary.type),
    properties: new Map(),
    history: new Map(primary.history),
  };
  portal.records.add(record);
  return record;
}

function absorb(portal: Portal, gone: CrmRecord, survivor: CrmRecord): void {
  const keepLinks = gone.type === survivor.type && !portal.behaviour.mergeLosesAssociations;
  for (const edge of portal.associations.list(gone.type.name, gone.id)) {
    if (!keepLinks || edge.toId === survivor.id) continue;
    for (const typeId of edge.typeIds) {
      const link =
        associationOf(gone.type.name, typeId) ?? defaultAssociation(gone.type.name, edge.toType);
      // Two primaries cannot both survive: the one that came first stays.
      if (link.label === 'Primary' && hasPrimary(portal, survivor, edge.toType, typeId)) continue;
      portal.associations.add(link, survivor.id, edge.toId);
    }
  }
  portal.associations.clear(gone.type.name, gone.id);
  gone.mergedInto = survivor.id;
  touch(portal, gone);
}

const hasPrimary = (portal: Portal, record: CrmRecord, toType: string, typeId: number): boolean =>
  record.type.name !== 'companies' &&
  portal.associations
    .list(record.type.name, record.id, toType)
    .some((edge) => edge.typeIds.includes(typeId));

function announce(
  portal: Portal,
  primary: CrmRecord,
  loser: CrmRecord,
  survivor: CrmRecord,
  gone: readonly CrmRecord[],
  movedCount: number,
  origin: ChangeOrigin,
): void {
  const atMs = portal.clock.nowMs();
  const subject = { type: primary.type, origin, atMs };
  const facts = { primaryId: primary.id, mergedIds: [loser.id], newId: survivor.id, movedCount };
  portal.publish([
    portal.events.merge({ ...subject, id: primary.id }, facts),
    ...gone.map((record) => portal.events.deletion({ ...subject, id: record.id })),
  ]);
}
