/** One property of an object type, as the properties API shows it. */
export interface PropertyDefinition {
  readonly name: string;
  readonly label: string;
  readonly type:
    'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool' | 'phone_number';
  readonly fieldType: string;
  readonly groupName: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
  readonly hasUniqueValue: boolean;
  readonly hubspotDefined: boolean;
  /** Set by HubSpot only; a write of it is refused. */
  readonly readOnly: boolean;
  readonly createdAtMs: number;
}

const FIELD_TYPES: Record<PropertyDefinition['type'], string> = {
  string: 'text',
  number: 'number',
  date: 'date',
  datetime: 'date',
  enumeration: 'select',
  bool: 'booleancheckbox',
  phone_number: 'phonenumber',
};

type Spec = [name: string, type?: PropertyDefinition['type'], options?: readonly string[]];

const define = (
  groupName: string,
  [name, type = 'string', options = []]: Spec,
): PropertyDefinition => ({
  name,
  label: name,
  type,
  fieldType: FIELD_TYPES[type],
  groupName,
  options: options.map((value) => ({ label: value, value })),
  hasUniqueValue: name === 'email' && groupName === 'contactinformation',
  hubspotDefined: true,
  readOnly: false,
  createdAtMs: 0,
});

const LIFECYCLE: Spec = [
  'lifecyclestage',
  'enumeration',
  ['subscriber', 'lead', 'marketingqualifiedlead', 'opportunity', 'customer', 'other'],
];

const ADDRESS: readonly Spec[] = [['address'], ['city'], ['state'], ['zip'], ['country']];

const WRITABLE: Record<string, { readonly group: string; readonly specs: readonly Spec[] }> = {
  contacts: {
    group: 'contactinformation',
    specs: [
      ['email'],
      ['firstname'],
      ['lastname'],
      ['phone', 'phone_number'],
      ['mobilephone', 'phone_number'],
      ['company'],
      ['website'],
      ['jobtitle'],
      ['salutation'],
      ['hs_additional_emails'],
      ['hubspot_owner_id'],
      ['message'],
      ['date_of_birth'],
      ['closedate', 'datetime'],
      ['numemployees', 'number'],
      ['annualrevenue'],
      ['hs_lead_status', 'enumeration', ['NEW', 'OPEN', 'IN_PROGRESS', 'CONNECTED', 'UNQUALIFIED']],
      LIFECYCLE,
      ...ADDRESS,
    ],
  },
  companies: {
    group: 'companyinformation',
    specs: [
      ['domain'],
      ['name'],
      ['phone', 'phone_number'],
      ['website'],
      ['industry'],
      ['description'],
      ['numberofemployees', 'number'],
      ['annualrevenue', 'number'],
      ['hubspot_owner_id'],
      ['founded_year'],
      ['type'],
      ['hs_additional_domains'],
      LIFECYCLE,
      ...ADDRESS,
    ],
  },
  deals: {
    group: 'dealinformation',
    specs: [
      ['dealname'],
      ['amount', 'number'],
      ['dealstage'],
      ['pipeline'],
      ['closedate', 'datetime'],
      ['description'],
      ['hubspot_owner_id'],
    ],
  },
  tickets: {
    group: 'ticketinformation',
    specs: [['subject'], ['content'], ['hs_pipeline'], ['hs_pipeline_stage'], ['hubspot_owner_id']],
  },
  notes: { group: 'engagement', specs: [['hs_note_body']] },
  meetings: {
    group: 'engagement',
    specs: [
      ['hs_meeting_title'],
      ['hs_meeting_body'],
      ['hs_internal_meeting_notes'],
      ['hs_meeting_location'],
      ['hs_meeting_external_url'],
      ['hs_meeting_start_time', 'datetime'],
      ['hs_meeting_end_time', 'datetime'],
      [
        'hs_meeting_outcome',
        'enumeration',
        ['SCHEDULED', 'COMPLETED', 'RESCHEDULED', 'NO_SHOW', 'CANCELED'],
      ],
    ],
  },
  calls: {
    group: 'engagement',
    specs: [
      ['hs_call_title'],
      ['hs_call_body'],
      ['hs_call_duration', 'number'],
      ['hs_call_status'],
      ['hs_call_direction', 'enumeration', ['INBOUND', 'OUTBOUND']],
      ['hs_call_disposition'],
      ['hs_call_from_number'],
      ['hs_call_to_number'],
    ],
  },
  tasks: {
    group: 'engagement',
    specs: [['hs_task_subject'], ['hs_task_body'], ['hs_task_status'], ['hs_task_priority']],
  },
};

const ENGAGEMENT: readonly Spec[] = [
  ['hs_timestamp', 'datetime'],
  ['hubspot_owner_id'],
  ['hs_activity_type'],
];

const READ_ONLY: readonly Spec[] = [
  ['hs_object_id', 'number'],
  ['hs_object_source'],
  ['hs_object_source_id'],
  ['hs_object_source_label'],
  ['hs_merged_object_ids'],
  ['hs_calculated_merged_vids'],
  ['associatedcompanyid', 'number'],
  ['createdate', 'datetime'],
  ['hs_createdate', 'datetime'],
  ['lastmodifieddate', 'datetime'],
  ['hs_lastmodifieddate', 'datetime'],
];

/** What a fresh portal defines for one object type. Unknown types start with the read-only ones. */
export function standardProperties(typeName: string): PropertyDefinition[] {
  const own = WRITABLE[typeName] ?? { group: `${typeName}_information`, specs: [['name']] };
  const extra = own.group === 'engagement' ? ENGAGEMENT : [];
  return [
    ...[...own.specs, ...extra].map((spec): PropertyDefinition => define(own.group, spec)),
    ...READ_ONLY.map((spec) => ({ ...define(own.group, spec), readOnly: true })),
  ];
}

/** The group that a portal surely has for a type; properties must name an existing one. */
export const standardGroup = (typeName: string): string =>
  WRITABLE[typeName]?.group ?? `${typeName}_information`;
