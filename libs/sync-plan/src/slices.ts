import type { ConnectionTiming, RecordMap } from '@counterpart/crm-port';
import type { FieldType, RecordType, SourceId, TenantId } from '@counterpart/sync-model';
import { asSourceId } from '@counterpart/sync-model';
import { crmRecordMaps } from './lookups.js';
import type { QuotaPlan, RecordPlan, SecretRef, SyncPlan } from './plan.js';

/** Declared types of one record type's fields. */
export type FieldTypes = Readonly<Record<string, FieldType>>;
type RecordTypes = Readonly<Record<RecordType, FieldTypes>>;

/** What ingest needs: who may deliver what, how it is verified, what the fields are. */
export interface IngestSlice {
  readonly tenantId: TenantId;
  readonly records: RecordTypes;
  readonly apps: readonly {
    readonly sourceId: SourceId;
    readonly secrets: readonly SecretRef[];
    readonly recordTypes: readonly RecordType[];
  }[];
  readonly webhooks: readonly {
    readonly sourceId: SourceId;
    readonly provider: string;
    readonly endpoint: string;
    readonly secrets: readonly SecretRef[];
    readonly settings: Readonly<Record<string, string | number | boolean>>;
    readonly records: readonly RecordMap[];
  }[];
}

/** What dedupe needs: which sources and record types exist. No address, no secret. */
export interface DedupeSlice {
  readonly tenantId: TenantId;
  readonly records: RecordTypes;
  readonly sources: Readonly<
    Record<string, { readonly provider: string; readonly recordTypes: readonly RecordType[] }>
  >;
}

/** A CRM source without its receiving half. */
export interface OutboundSource {
  readonly sourceId: SourceId;
  readonly provider: string;
  readonly baseUrl: string;
  readonly allowPrivateAddress: boolean;
  readonly accessToken: SecretRef;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly quota: QuotaPlan;
  readonly timing: ConnectionTiming;
  readonly records: readonly RecordMap[];
}

/** What sync-writer needs: ownership and match keys, and how to reach each CRM. */
export interface WriterSlice {
  readonly tenantId: TenantId;
  readonly records: Readonly<Record<RecordType, RecordPlan>>;
  readonly sources: readonly OutboundSource[];
}

/** What reconciler needs: the same reach, for reading. */
export type ReconcilerSlice = WriterSlice;

export interface PlanSlices {
  readonly ingest: IngestSlice;
  readonly dedupe: DedupeSlice;
  readonly writer: WriterSlice;
  readonly reconciler: ReconcilerSlice;
}

/** Each service's part of a plan. */
export function planSlices(plan: SyncPlan): PlanSlices {
  const outbound = outboundSlice(plan);
  return {
    ingest: ingestSlice(plan),
    dedupe: dedupeSlice(plan),
    writer: outbound,
    reconciler: outbound,
  };
}

export function ingestSlice(plan: SyncPlan): IngestSlice {
  const sources = Object.entries(plan.sources);
  return {
    tenantId: plan.tenantId,
    records: recordTypesOf(plan),
    apps: sources.flatMap(([id, source]) =>
      source.kind === 'app'
        ? [{ sourceId: asSourceId(id), secrets: source.secrets, recordTypes: source.recordTypes }]
        : [],
    ),
    webhooks: sources.flatMap(([id, source]) =>
      source.kind === 'crm' && source.webhook
        ? [
            {
              sourceId: asSourceId(id),
              provider: source.provider,
              ...source.webhook,
              settings: source.settings,
              records: crmRecordMaps(plan, source),
            },
          ]
        : [],
    ),
  };
}

export function dedupeSlice(plan: SyncPlan): DedupeSlice {
  return {
    tenantId: plan.tenantId,
    records: recordTypesOf(plan),
    sources: Object.fromEntries(
      Object.entries(plan.sources).map(([id, source]) => [
        id,
        {
          provider: source.provider,
          recordTypes: source.kind === 'app' ? source.recordTypes : Object.keys(source.records),
        },
      ]),
    ),
  };
}

/** The slice of the two services that call CRMs. */
export function outboundSlice(plan: SyncPlan): WriterSlice {
  return {
    tenantId: plan.tenantId,
    records: plan.records,
    sources: Object.entries(plan.sources).flatMap(([id, source]) =>
      source.kind === 'crm'
        ? [
            {
              sourceId: asSourceId(id),
              provider: source.provider,
              baseUrl: source.baseUrl,
              allowPrivateAddress: source.allowPrivateAddress,
              accessToken: source.accessToken,
              settings: source.settings,
              quota: source.quota,
              timing: source.timing,
              records: crmRecordMaps(plan, source),
            },
          ]
        : [],
    ),
  };
}

function recordTypesOf(plan: SyncPlan): RecordTypes {
  return Object.fromEntries(
    Object.entries(plan.records).map(([type, record]) => [
      type,
      Object.fromEntries(
        Object.entries(record.fields).map(([field, { fieldType }]) => [field, fieldType]),
      ),
    ]),
  );
}
