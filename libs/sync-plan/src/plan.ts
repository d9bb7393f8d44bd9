import type { ConnectionTiming } from '@counterpart/crm-port';
import type { FieldType, RecordType, SourceId, TenantId } from '@counterpart/sync-model';

/**
 * What a tenant wants kept in step: which sources, which records, which fields, and who owns each.
 * Written as YAML, checked by `parseSyncPlan`, published by `counterpart apply`.
 */
export interface SyncPlan {
  readonly tenantId: TenantId;
  readonly records: Readonly<Record<RecordType, RecordPlan>>;
  readonly sources: Readonly<Record<string, SourcePlan>>;
}

export interface RecordPlan {
  /** Canonical fields that identify a record, strongest first; empty where nothing does. */
  readonly match: readonly string[];
  readonly fields: Readonly<Record<string, FieldPlan>>;
}

export interface FieldPlan {
  readonly fieldType: FieldType;
  readonly owner: FieldOwner;
}

/** Who may change a field: one source, whoever changed it last, or a human who decides. */
export type FieldOwner = SourceId | 'last-change' | 'review';

/** A reference to a secret, never the secret: `env:SECRET_NAME` or `file:relative/path`. */
export type SecretRef = string;

export type SourcePlan = AppSourcePlan | CrmSourcePlan;

/** The product's own side: pushes changes to ingest, signed as Standard Webhooks. */
export interface AppSourcePlan {
  readonly kind: 'app';
  readonly provider: 'app';
  /** The first signs, all verify: that is how a secret is rotated. */
  readonly secrets: readonly SecretRef[];
  readonly recordTypes: readonly RecordType[];
}

/** One authorised connection to a CRM. */
export interface CrmSourcePlan {
  readonly kind: 'crm';
  readonly provider: string;
  readonly baseUrl: string;
  readonly allowPrivateAddress: boolean;
  readonly accessToken: SecretRef;
  /** Provider-specific, checked by its adapter: `{ portalId, appId, uniqueProperty }`. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly webhook: WebhookPlan | null;
  readonly quota: QuotaPlan;
  readonly timing: ConnectionTiming;
  readonly records: Readonly<Record<RecordType, RecordMapPlan>>;
}

/** Where the provider delivers: `POST /v1/webhooks/<endpoint>`. */
export interface WebhookPlan {
  readonly endpoint: string;
  readonly secrets: readonly SecretRef[];
}

/** The provider's own windows: calls in any one second, in any ten, and searches in any one. */
export interface QuotaPlan {
  /** null: the provider has no such window. */
  readonly perSecond: number | null;
  readonly perTenSeconds: number;
  readonly searchPerSecond: number;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Part of each window that is never spent, 0 to 0.9. */
  readonly reserve: number;
}

export interface RecordMapPlan {
  /** The provider's object name: `contacts`. */
  readonly objectName: string;
  /** Canonical field → the provider's property. */
  readonly fields: Readonly<Record<string, string>>;
}

/** One mistake in a plan. Line and column count from 1; `path` reads `sources.crm.baseUrl`. */
export interface PlanFault {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  /** Stable: `unknown-key`, `two-owners`, `private-address`, … */
  readonly code: string;
  readonly message: string;
}
