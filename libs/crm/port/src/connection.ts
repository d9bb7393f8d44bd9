import type { FieldType, RecordType, SourceId, TenantId } from '@counterpart/sync-model';

/** Which of the provider's budgets a call counts against. */
export type CallScope = 'call' | 'search';

/** The shared quota of one source, for all pods. Asked before every HTTP call. */
export interface CallBudget {
  take(
    scope: CallScope,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly retryAtMs: number }>;
  /** The provider said stop. Nothing is sent to this source before `untilMs`. */
  pause(untilMs: number, reason: string): Promise<void>;
}

/** How the tenant's canonical names map to the provider's, for one record type. */
export interface RecordMap {
  readonly recordType: RecordType;
  /** The provider's object name: `contacts`. */
  readonly objectName: string;
  readonly fields: readonly {
    readonly field: string;
    readonly property: string;
    readonly fieldType: FieldType;
  }[];
  /** Canonical fields that identify a record, strongest first: `email`, `domain`. */
  readonly matchFields: readonly string[];
}

export interface ConnectionTiming {
  /** Client deadline of one request. */
  readonly requestDeadlineMs: number;
  /** The longest the CRM itself keeps running a request nobody waits for any more. */
  readonly crmLongestRunMs: number;
  /** How far the CRM's search may be behind its writes. */
  readonly indexLagMs: number;
}

/** One source of a tenant, with its secrets resolved. Never logged. */
export interface Connection {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly provider: string;
  readonly baseUrl: string;
  readonly allowPrivateAddress: boolean;
  readonly accessToken: string;
  readonly timing: ConnectionTiming;
  /** Provider-specific settings, checked by the adapter: `{ portalId, appId, uniqueProperty }`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly records: readonly RecordMap[];
}
