import type { ExternalId, Fields } from '@counterpart/sync-model';

export interface FoundRecord {
  readonly externalId: ExternalId;
  readonly stored: Fields;
  readonly versionToken: string | null;
  readonly archived: boolean;
}

/** A read that could not be made says so; "not found" is only ever said by the CRM. */
export type ReadResult =
  | { readonly kind: 'found'; readonly record: FoundRecord }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly code: string; readonly retryAtMs: number | null };

export type FindResult =
  ReadResult | { readonly kind: 'ambiguous'; readonly records: readonly FoundRecord[] };

/** A create or update whose outcome is unknown. */
export interface ProbeItem {
  readonly marker: string;
  readonly fields: Fields;
  readonly externalId: ExternalId | null;
}

/** `absent` proves something only when the adapter's probe is strong or the settle time passed. */
export type ProbeResult = FindResult;
