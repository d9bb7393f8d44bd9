import type { ChangeOrigin, CrmRecord } from '../objects/record.js';
import type { Portal } from '../portals/portal.js';
import {
  associationOf,
  defaultAssociation,
  primaryAssociation,
  type AssociationType,
} from './association-types.js';

/** Makes one link and tells both sides. A link that exists stays one, and nobody is told again. */
export function linkRecords(
  portal: Portal,
  from: CrmRecord,
  to: CrmRecord,
  link: AssociationType,
  origin: ChangeOrigin,
): void {
  if (!portal.associations.add(link, from.id, to.id)) return;
  portal.changes += 1;
  announce(portal, from, to, link, origin, false);
  if (link.label === 'Primary') {
    dropOtherPrimaries(portal, from, to, link, origin);
    linkRecords(portal, from, to, defaultAssociation(from.type.name, to.type.name), origin);
  }
  // The company of a contact is shown on the contact, without moving its modified time.
  showPrimaryCompany(portal, from);
  showPrimaryCompany(portal, to);
}

/** The plain link of two records; the first company (or the latest, by behaviour) becomes primary. */
export function linkByDefault(
  portal: Portal,
  from: CrmRecord,
  to: CrmRecord,
  origin: ChangeOrigin,
): void {
  linkRecords(portal, from, to, defaultAssociation(from.type.name, to.type.name), origin);
  const [person, company] = from.type.name === 'companies' ? [to, from] : [from, to];
  const primary = primaryAssociation(person.type.name, company.type.name);
  if (company.type.name !== 'companies' || !primary) return;
  const hasPrimary = portal.associations
    .list(person.type.name, person.id, company.type.name)
    .some((edge) => edge.typeIds.includes(primary.typeId));
  if (!hasPrimary || portal.behaviour.primaryCompany === 'latest') {
    linkRecords(portal, person, company, primary, origin);
  }
}

/** Removes one kind of link, or every kind, between two records and tells both sides. */
export function unlinkRecords(
  portal: Portal,
  from: CrmRecord,
  to: CrmRecord,
  typeIds: readonly number[] | 'all',
  origin: ChangeOrigin,
): void {
  const edge = portal.associations
    .list(from.type.name, from.id, to.type.name)
    .find((candidate) => candidate.toId === to.id);
  const doomed = typeIds === 'all' ? (edge?.typeIds ?? []) : typeIds;
  for (const typeId of doomed) {
    const link =
      associationOf(from.type.name, typeId) ?? defaultAssociation(from.type.name, to.type.name);
    if (!portal.associations.remove(link, from.id, to.id)) continue;
    portal.changes += 1;
    announce(portal, from, to, link, origin, true);
  }
  showPrimaryCompany(portal, from);
  showPrimaryCompany(portal, to);
}

function announce(
  portal: Portal,
  from: CrmRecord,
  to: CrmRecord,
  link: AssociationType,
  origin: ChangeOrigin,
  removed: boolean,
): void {
  const atMs = portal.clock.nowMs();
  const inverse = {
    ...link,
    from: link.to,
    to: link.from,
    typeId: link.inverseTypeId,
    inverseTypeId: link.typeId,
  };
  portal.publish([
    portal.events.associationChange(
      { type: from.type, id: from.id, origin, atMs },
      to,
      link,
      removed,
    ),
    portal.events.associationChange(
      { type: to.type, id: to.id, origin, atMs },
      from,
      inverse,
      removed,
    ),
  ]);
}

function dropOtherPrimaries(
  portal: Portal,
  from: CrmRecord,
  to: CrmRecord,
  link: AssociationType,
  origin: ChangeOrigin,
): void {
  // "Primary" is one per person, not one per company: look from the person's side.
  const [person, company] = to.type.name === 'companies' ? [from, to] : [to, from];
  const primaryId = person === from ? link.typeId : link.inverseTypeId;
  for (const edge of portal.associations.list(person.type.name, person.id, company.type.name)) {
    const other = portal.records.find(company.type, edge.toId);
    if (other && other !== company && edge.typeIds.includes(primaryId)) {
      unlinkRecords(portal, person, other, [primaryId], origin);
    }
  }
}

/** Keeps a contact's `associatedcompanyid` in step with its links; nobody is told. */
export function showPrimaryCompany(portal: Portal, record: CrmRecord): void {
  const primary = primaryAssociation(record.type.name, 'companies');
  if (record.type.name !== 'contacts' || !primary) return;
  const edge = portal.associations
    .list('contacts', record.id, 'companies')
    .find((candidate) => candidate.typeIds.includes(primary.typeId));
  const next = new Map(record.properties);
  if (edge) next.set('associatedcompanyid', edge.toId);
  else next.delete('associatedcompanyid');
  record.properties = next;
}
