import type { HubSpotError } from '../answers/answer.js';
import { alreadyExists, invalidValues } from '../answers/errors.js';
import type { Portal } from '../portals/portal.js';
import { splitList } from '../properties/values.js';
import type { ObjectType } from './object-types.js';
import type { CrmRecord } from './record.js';

/**
 * The refusal when one of these values belongs to another record. A taken address is a 409 that
 * names its holder, further addresses included; a taken custom value is a 400 that does not.
 */
export function uniqueClash(
  portal: Portal,
  type: ObjectType,
  values: ReadonlyMap<string, string>,
  self: CrmRecord | null,
): HubSpotError | null {
  for (const name of portal.properties.uniqueNames(type)) {
    for (const value of claimedValues(name, values)) {
      const holder = portal.records.findUnique(type, name, value);
      if (!holder || holder === self) continue;
      if (name === 'email') return alreadyExists(labelOf(type), holder.id);
      const message = `${value} is not unique: another ${type.singular} already has this value.`;
      return invalidValues(portal.spec.portalId, [
        { name, error: 'CONFLICTING_UNIQUE_VALUE', message },
      ]);
    }
  }
  return null;
}

function claimedValues(name: string, values: ReadonlyMap<string, string>): string[] {
  const own = values.get(name);
  const further = name === 'email' ? splitList(values.get('hs_additional_emails')) : [];
  return [own, ...further].filter((value) => value !== undefined).filter((value) => value !== '');
}

const labelOf = (type: ObjectType): string =>
  type.singular.slice(0, 1).toUpperCase() + type.singular.slice(1);

/**
 * Gives an address that the contact already has as a further one the first place, and keeps the old
 * first one as further: what HubSpot does when the primary address is changed to a secondary one.
 */
export function swapAddresses(
  record: CrmRecord,
  values: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const email = values.get('email');
  const further = splitList(record.properties.get('hs_additional_emails'));
  const first = record.properties.get('email');
  if (!email || !further.includes(email) || values.has('hs_additional_emails')) return values;
  const swapped = [...further.filter((other) => other !== email), ...(first ? [first] : [])];
  return new Map([...values, ['hs_additional_emails', swapped.join(';')]]);
}
