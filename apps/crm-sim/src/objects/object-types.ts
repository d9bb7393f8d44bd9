/** One kind of record, with the names HubSpot uses for it in different places. */
export interface ObjectType {
  /** In paths: `contacts`. */
  readonly name: string;
  /** In association types and messages: `contact`. */
  readonly singular: string;
  /** `0-1`. */
  readonly typeId: string;
  readonly createdProperty: 'createdate' | 'hs_createdate';
  readonly modifiedProperty: 'lastmodifieddate' | 'hs_lastmodifieddate';
  /** Returned when a read names no properties. */
  readonly defaultProperties: readonly string[];
  readonly requiredProperties: readonly string[];
  readonly mergeable: boolean;
  /** `contact` gives `contact.creation`; `object` gives the generic events with `objectTypeId`. */
  readonly webhookPrefix: string;
}

const crmType = (name: string, singular: string, typeId: string, shown: string[]): ObjectType => ({
  name,
  singular,
  typeId,
  createdProperty: 'createdate',
  modifiedProperty: singular === 'contact' ? 'lastmodifieddate' : 'hs_lastmodifieddate',
  defaultProperties: shown,
  requiredProperties: [],
  mergeable: true,
  webhookPrefix: singular,
});

/** Activities: no merge, generic webhooks, a timestamp they cannot do without. */
const activityType = (name: string, singular: string, typeId: string): ObjectType => ({
  name,
  singular,
  typeId,
  createdProperty: 'hs_createdate',
  modifiedProperty: 'hs_lastmodifieddate',
  defaultProperties: [],
  requiredProperties: ['hs_timestamp'],
  mergeable: false,
  webhookPrefix: 'object',
});

/** The types every portal has. */
export const STANDARD_TYPES: readonly ObjectType[] = [
  crmType('contacts', 'contact', '0-1', ['email', 'firstname', 'lastname']),
  crmType('companies', 'company', '0-2', ['domain', 'name']),
  crmType('deals', 'deal', '0-3', ['amount', 'closedate', 'dealname', 'dealstage', 'pipeline']),
  crmType('tickets', 'ticket', '0-5', ['content', 'subject', 'hs_pipeline_stage']),
  activityType('notes', 'note', '0-46'),
  activityType('meetings', 'meeting', '0-47'),
  activityType('calls', 'call', '0-48'),
  activityType('tasks', 'task', '0-27'),
];

/** A tenant's own object type, named at portal creation; `n` counts them from 1. */
export const customType = (name: string, n: number): ObjectType => ({
  ...crmType(name, name, `2-${4_000_000 + n}`, []),
  createdProperty: 'hs_createdate',
  webhookPrefix: 'object',
});

/** Looks a type up by any name a caller may use: `contacts`, `contact`, `0-1`. */
export function findType(types: readonly ObjectType[], name: string): ObjectType | undefined {
  const wanted = name.toLowerCase();
  return types.find((type) => [type.name, type.singular, type.typeId].includes(wanted));
}
