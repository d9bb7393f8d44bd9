import type { ExternalId, Fields, RecordType } from '@counterpart/sync-model';

/**
 * What is known of one item after a call. `unknown` is a value, never an exception: the write may
 * have happened. Only `unsent` and `throttled` may be repeated as they are.
 */
export type WriteResult =
  | {
      readonly kind: 'confirmed';
      readonly externalId: ExternalId;
      /** What the CRM stored, canonical; becomes the base of the next merge. */
      readonly stored: Fields;
      readonly versionToken: string | null;
      /** False when an existing record took the write (upsert matched). Null when not told. */
      readonly created: boolean | null;
    }
  | {
      readonly kind: 'refused';
      /** `already-exists`, `not-found`, `invalid-field`, `permission`, `credentials`, `invalid`. */
      readonly code: string;
      readonly detail: string;
      /** The record that stands in the way, where the answer names it. */
      readonly existingId: ExternalId | null;
      readonly field: string | null;
    }
  | { readonly kind: 'throttled'; readonly retryAtMs: number; readonly code: string }
  | { readonly kind: 'unsent'; readonly code: string }
  | { readonly kind: 'unknown'; readonly code: string };

export interface CreateItem {
  /** Our own key for the record (the entity id): stamped where the provider can hold it. */
  readonly marker: string;
  readonly fields: Fields;
}

export interface UpdateItem {
  readonly externalId: ExternalId;
  /** Only what shall change; null clears. */
  readonly fields: Fields;
  readonly expectedVersion: string | null;
}

export interface AssociateItem {
  readonly fromType: RecordType;
  readonly fromId: ExternalId;
  readonly toType: RecordType;
  readonly toId: ExternalId;
}
