import type { Outcome } from '@counterpart/sync-model';

/** What was seen of one tenant, in the shape the checks look at. All times in ms since the epoch. */
export interface CrmRecord {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly archived: boolean;
  readonly createdAtMs: number;
  readonly associations: readonly CrmAssociation[];
}

export interface CrmAssociation {
  readonly toType: string;
  readonly toId: string;
  /** The CRM's own id of the kind of link; one pair may be linked in several ways. */
  readonly kind: string;
}

export interface CrmCall {
  readonly n: number;
  readonly atMs: number;
  readonly answeredAtMs: number | null;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  /** null: never answered. */
  readonly status: number | null;
  readonly fault: string | null;
  readonly items: number;
}

/** A public message, as decoded, and when the broker took it. */
export interface SeenMessage {
  readonly topic: string;
  /** Grows by one with every message the run has seen. */
  readonly position: number;
  readonly value: object;
}

/** Newest result of one operation. */
export interface SeenOperation {
  readonly operationId: string;
  readonly outcome: Outcome;
  readonly eventKey: string;
  readonly recordType: string;
  readonly originSourceId: string;
  readonly targetSourceId: string;
  readonly externalId: string | null;
  readonly attempts: number;
}

/** What dedupe decided about one event. */
export interface GateDecision {
  readonly eventKey: string;
  readonly outcome: string;
  readonly sourceId: string;
  readonly recordType: string;
  readonly externalId: string;
}

/** A change that ingest answered 202 for. */
export interface AcceptedChange {
  readonly changeId: string;
  readonly eventKey: string;
}

/** A moment a scenario has named: call numbers per source, and a position among the messages. */
export interface Mark {
  readonly atMs: number;
  readonly callNumbers: Readonly<Record<string, number>>;
  readonly position: number;
}
