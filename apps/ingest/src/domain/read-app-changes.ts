import {
  asExternalId,
  eventKeyOf,
  fingerprintOfEvent,
  normaliseFields,
  type ChangeKind,
  type FieldType,
  type Fields,
  type Relation,
  type SourceEvent,
  type SourceId,
  type TenantId,
} from '@counterpart/sync-model';
import {
  appChanges,
  type AppChange,
  type AppChanges,
  type Attendee,
  type Company,
} from './app-change.js';
import { malformed, type Fault, type Refusal } from './refusal.js';

/** What of a plan the reading of an app's changes needs. */
export interface AppSource {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordTypes: readonly string[];
  readonly fieldTypes: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
}

/** What the sender gets for one change that is kept. */
export interface Receipt {
  /** The sender's own id of the change. */
  readonly id: string;
  readonly eventKey: string;
}

export type ReadResult =
  | {
      readonly ok: true;
      readonly events: readonly SourceEvent[];
      /** Which change became which event, in the order of the changes. */
      readonly receipts: readonly Receipt[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * An app's request as source events: all of it, or none with every fault listed. Values are
 * brought into the canonical form of their declared type here, once, for all services behind.
 */
export const readAppChanges = (
  body: unknown,
  source: AppSource,
  receivedAtMs: number,
): ReadResult => {
  const parsed = appChanges.safeParse(body);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      code: issue.code.replaceAll('_', '-'),
      message: issue.message,
    }));
    return {
      ok: false,
      refusal: malformed('invalid-change', 'The changes are not of the described form.', faults),
    };
  }
  const faults: Fault[] = [];
  const events = parsed.data.changes.map((change, index) =>
    toEvent(change, source, receivedAtMs, (path, code, message) =>
      faults.push({ path: `changes.${index}.${path}`, code, message }),
    ),
  );
  if (faults.length === 0) return { ok: true, events, receipts: receiptsOf(parsed.data, events) };
  const code = faults.every((fault) => fault.code === faults[0]?.code)
    ? faults[0]?.code
    : undefined;
  return {
    ok: false,
    refusal: malformed(
      code ?? 'invalid-change',
      'Some values are not as the plan declares them.',
      faults,
    ),
  };
};

const receiptsOf = ({ changes }: AppChanges, events: readonly SourceEvent[]): readonly Receipt[] =>
  events.map(({ eventKey }, index) => ({ id: changes[index]?.id ?? '', eventKey }));

type Complain = (path: string, code: string, message: string) => void;

const kinds: Readonly<Record<AppChange['action'], ChangeKind>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

const toEvent = (
  change: AppChange,
  source: AppSource,
  receivedAtMs: number,
  complain: Complain,
): SourceEvent => {
  if (!source.recordTypes.includes(change.type))
    complain('type', 'unknown-record-type', 'This source has no such record type in the plan.');
  const fields = canonical(change.type, change.fields, source, (path, ...rest) =>
    complain(`fields.${path}`, ...rest),
  );
  const payload = {
    kind: kinds[change.action],
    shape: change.shape,
    fields,
    relations: relationsOf(change, source, complain),
    revision: change.revision === undefined ? null : String(change.revision),
  };
  return {
    ...payload,
    eventKey: eventKeyOf(source.tenantId, source.sourceId, change.id),
    tenantId: source.tenantId,
    sourceId: source.sourceId,
    provider: 'app',
    recordType: change.type,
    externalId: asExternalId(change.recordId),
    occurredAtMs: Date.parse(change.occurredAt),
    receivedAtMs,
    origin: 'unknown',
    originDetail: '',
    fingerprint: fingerprintOfEvent(payload),
    merge: null,
    readback: null,
    backfill: false,
  };
};

const canonical = (
  recordType: string,
  raw: Readonly<Record<string, unknown>>,
  source: AppSource,
  complain: Complain,
): Fields => {
  const types = Object.hasOwn(source.fieldTypes, recordType)
    ? source.fieldTypes[recordType]
    : undefined;
  if (types === undefined) return {};
  const { fields, faults } = normaliseFields(types, raw);
  for (const { field, code, detail } of faults) complain(field, code, detail);
  return fields;
};

const relationsOf = (
  change: AppChange,
  source: AppSource,
  complain: Complain,
): readonly Relation[] => [
  ...(change.attendees ?? []).map((one, index) =>
    attendeeOf(one, source, (path, ...rest) => complain(`attendees.${index}.${path}`, ...rest)),
  ),
  ...(change.company === undefined ? [] : [companyOf(change.company, source, complain)]),
];

const attendeeOf = (attendee: Attendee, source: AppSource, complain: Complain): Relation => {
  const { recordId, company, ...fields } = attendee;
  return {
    role: 'attendee',
    recordType: 'contact',
    externalId: recordId === undefined ? null : asExternalId(recordId),
    fields: canonical('contact', declaredOnly('contact', fields, source), source, complain),
    relations: company === undefined ? [] : [companyOf(company, source, complain)],
  };
};

const companyOf = (company: Company, source: AppSource, complain: Complain): Relation => ({
  role: 'company',
  recordType: 'company',
  externalId: null,
  fields: canonical('company', declaredOnly('company', company, source), source, (path, ...rest) =>
    complain(`company.${path}`, ...rest),
  ),
  relations: [],
});

/** A mention has a fixed form; what the tenant's plan does not keep of it is left out. */
const declaredOnly = (
  recordType: string,
  fields: Readonly<Record<string, unknown>>,
  source: AppSource,
): Readonly<Record<string, unknown>> => {
  const types = Object.hasOwn(source.fieldTypes, recordType)
    ? (source.fieldTypes[recordType] ?? {})
    : {};
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => value !== undefined && Object.hasOwn(types, field),
    ),
  );
};
