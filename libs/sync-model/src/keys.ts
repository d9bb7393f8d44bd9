import { canonicalText } from './canonical-text.js';
import type { FieldType, FieldValue } from './fields.js';
import { hash128 } from './hash.js';
import {
  asEventKey,
  asExternalId,
  asOperationId,
  asSourceId,
  asTenantId,
  type EntityId,
  type EventKey,
  type OperationId,
  type RecordRef,
  type RecordType,
  type SourceId,
  type TenantId,
} from './ids.js';

/** Each kind of hash starts with its own word, so that keys of two kinds never meet. */
type HashKind = 'event' | 'operation' | 'match';

const hashOf = (kind: HashKind, parts: readonly (string | null)[]): string =>
  hash128(canonicalText([kind, ...parts]));

/**
 * What makes an event the same when it is delivered again. `identity` is the provider's own text
 * (the app's change id; a HubSpot event without its attempt number). Tenant and source are part of
 * it: two tenants, or two portals of one tenant, may well number their events alike.
 */
export const eventKeyOf = (tenantId: TenantId, sourceId: SourceId, identity: string): EventKey =>
  asEventKey(hashOf('event', [tenantId, sourceId, identity]));

/** The parts that make an operation itself, and nothing that a retry could change. */
export interface OperationParts {
  readonly tenantId: TenantId;
  /** The event that asks for the change. */
  readonly eventKey: EventKey;
  readonly targetSourceId: SourceId;
  readonly recordType: RecordType;
  /** One event may ask for several changes at one target: its own record and its relations. */
  readonly entityId: EntityId;
  /** Told apart where one event does two things to one record: `write`, `associate`. */
  readonly purpose: string;
}

/** Identity of one intended change to one record at one target; the same on every retry. */
export const operationIdOf = (parts: OperationParts): OperationId =>
  asOperationId(
    hashOf('operation', [
      parts.tenantId,
      parts.eventKey,
      parts.targetSourceId,
      parts.recordType,
      parts.entityId,
      parts.purpose,
    ]),
  );

/**
 * Hash of a match key: the normalised unique fact by which an entity is found. Scoped by tenant
 * (nobody else's person), entity type (a company may be called like a contact) and field.
 */
export const matchKeyHash = (
  tenantId: TenantId,
  entityType: RecordType,
  field: string,
  value: string,
): string => hashOf('match', [tenantId, entityType, field, value]);

/**
 * The part of a normalised value that identifies, or null when there is none. A phone extension
 * does not identify: people behind one switchboard number are matched on the number.
 */
export const matchValueOf = (type: FieldType, value: FieldValue | undefined): string | null => {
  if (value === null || value === undefined) return null;
  const text = String(value);
  return type.type === 'phone' ? (text.split(';ext=')[0] ?? text) : text;
};

const separator = '\x1f';
/** Ids are opaque and may hold anything; the separator inside one must not move a boundary. */
const escapePart = (part: string): string =>
  part.replace(/[\x1e\x1f]/g, (found) => (found === separator ? '\x1es' : '\x1ee'));
const unescapePart = (part: string): string =>
  part.replace(/\x1e([se])/g, (_all, letter: string) => (letter === 's' ? separator : '\x1e'));

/** Kafka key of everything about one record; tenant first. Its events share one partition. */
export const recordKey = (ref: RecordRef): string =>
  [ref.tenantId, ref.sourceId, ref.recordType, ref.externalId].map(escapePart).join(separator);

/** Reverse of `recordKey`; undefined for a text that is no record key. */
export const parseRecordKey = (key: string): RecordRef | undefined => {
  const [tenant, source, recordType, externalId, ...more] = key.split(separator).map(unescapePart);
  if (!tenant || !source || !recordType || !externalId || more.length > 0) return undefined;
  return {
    tenantId: asTenantId(tenant),
    sourceId: asSourceId(source),
    recordType,
    externalId: asExternalId(externalId),
  };
};

/** Kafka key of everything about one entity; tenant first. */
export const entityKey = (tenantId: TenantId, entityId: EntityId): string =>
  [tenantId, entityId].map(escapePart).join(separator);
