import { asSourceId, asTenantId } from '@counterpart/sync-model';
import type { FieldType } from '@counterpart/sync-model';
import type { FieldOwner, FieldPlan, RecordPlan, SourcePlan, SyncPlan } from './plan.js';
import type {
  AppSourceDocument,
  CrmSourceDocument,
  FieldDocument,
  PlanDocument,
} from './plan-schema.js';

/** A checked document as the services use it. */
export function toPlan(document: PlanDocument): SyncPlan {
  return {
    tenantId: asTenantId(document.tenant),
    records: mapValues(document.records, (record): RecordPlan => ({
      match: record.match,
      fields: mapValues(record.fields, toField),
    })),
    sources: mapValues(document.sources, toSource),
  };
}

function toField({ owner, ...fieldType }: FieldDocument): FieldPlan {
  return { fieldType: fieldType satisfies FieldType, owner: toOwner(owner) };
}

const toOwner = (owner: string): FieldOwner =>
  owner === 'last-change' || owner === 'review' ? owner : asSourceId(owner);

function toSource(source: AppSourceDocument | CrmSourceDocument): SourcePlan {
  if (isApp(source))
    return {
      kind: 'app',
      provider: 'app',
      secrets: source.signing.secrets,
      recordTypes: Object.keys(source.records),
    };
  return {
    kind: 'crm',
    provider: source.provider,
    baseUrl: source.baseUrl,
    allowPrivateAddress: source.allowPrivateAddress,
    accessToken: source.credentials.accessToken,
    settings: source.settings,
    webhook: source.webhook ?? null,
    quota: { ...source.quota, perSecond: source.quota.perSecond ?? null },
    timing: source.timing,
    records: mapValues(source.records, ({ object, fields }) => ({ objectName: object, fields })),
  };
}

const isApp = (source: AppSourceDocument | CrmSourceDocument): source is AppSourceDocument =>
  source.provider === 'app';

function mapValues<In, Out>(
  table: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]));
}
