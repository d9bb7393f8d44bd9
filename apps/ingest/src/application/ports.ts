import type { Clock, SourceEvent } from '@counterpart/sync-model';
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

export interface Quarantined {
  readonly endpoint: string;
  readonly code: string;
  readonly itemIndex: number;
  readonly detail: string;
  readonly body: Uint8Array;
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
  readonly quarantine: (items: readonly Quarantined[]) => Promise<void>;
}
