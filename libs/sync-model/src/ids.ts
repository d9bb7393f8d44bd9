/**
 * Branded identities. A plain string never passes for one of these, so an external id cannot be
 * handed in where an entity id is meant. Values enter the system through the `as…` functions of
 * adapters only.
 */
declare const brand: unique symbol;
export type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The customer whose data this is; first part of every key. */
export type TenantId = Branded<'TenantId'>;
/** One authorised connection of a tenant to one instance of a provider. Unique within the tenant. */
export type SourceId = Branded<'SourceId'>;
/** Our id of the one thing behind a tenant's records. 128 bits, uuid form. */
export type EntityId = Branded<'EntityId'>;
/** A source's own id of a record. Opaque; unique within (tenant, source, record type). */
export type ExternalId = Branded<'ExternalId'>;
/** Identity of one intended business change to one record; the same on every retry. uuid form. */
export type OperationId = Branded<'OperationId'>;
/** What makes an event the same when it is delivered again. uuid form. */
export type EventKey = Branded<'EventKey'>;
/** 128-bit hash of a canonical payload or value, uuid form. */
export type Fingerprint = Branded<'Fingerprint'>;

export const asTenantId = (text: string): TenantId => text as TenantId;
export const asSourceId = (text: string): SourceId => text as SourceId;
export const asEntityId = (text: string): EntityId => text as EntityId;
export const asExternalId = (text: string): ExternalId => text as ExternalId;
export const asOperationId = (text: string): OperationId => text as OperationId;
export const asEventKey = (text: string): EventKey => text as EventKey;
export const asFingerprint = (text: string): Fingerprint => text as Fingerprint;

/** Canonical record type of the tenant's plan: `contact`, `company`, `meeting`, or a custom name. */
export type RecordType = string;
/** The kind of system behind a source: `app`, `hubspot`, … */
export type Provider = string;

/** A thing as stored at a source. */
export interface RecordRef {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
}
