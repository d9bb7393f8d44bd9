import type { Clock, SourceEvent } from '@counterpart/sync-model';
import type { EndpointClaim, SinceWhen } from '../domain/endpoint-claims.js';
import type { Doors } from '../domain/endpoints.js';

/** Authenticity of an app's request; a missing secret is simply one that signs nothing. */
export type VerifyApp = (
  request: {
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: Uint8Array;
  },
  secrets: readonly string[],
  nowMs: number,
) => boolean;

export interface Refused {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly code: string;
}

/** An authentic delivery with items that could not be taken, kept whole until somebody looks. */
export interface QuarantinedDelivery {
  readonly endpoint: string;
  readonly body: Uint8Array;
  readonly items: readonly QuarantinedItem[];
}

export interface QuarantinedItem {
  /** Place in the delivery; -1: the delivery as a whole. */
  readonly index: number;
  readonly code: string;
  readonly detail: string;
}

/** When which plan named an instance at an endpoint first. Rejects when the store is away. */
export interface ClaimStore {
  /** Stamps new claims of the tenants, keeps the stamps of those they have, forgets their others. */
  keep(tenantIds: readonly string[], claims: readonly EndpointClaim[]): Promise<void>;
  since(): Promise<SinceWhen>;
}

export interface IngestPorts {
  readonly clock: Clock;
  readonly doors: () => Promise<Doors>;
  /** Secrets behind references; those that cannot be read are left out. */
  readonly secrets: (refs: readonly string[]) => Promise<readonly string[]>;
  readonly verifyApp: VerifyApp;
  /** Resolves when every event is safely kept; rejects when that is not known. */
  readonly publish: (events: readonly SourceEvent[]) => Promise<void>;
  /** Counts a refusal. Never rejects: an answer must not depend on the counting. */
  readonly refused: (refused: Refused) => void;
  /** Rejects when the delivery cannot be kept. */
  readonly quarantine: (delivery: QuarantinedDelivery) => Promise<void>;
}
