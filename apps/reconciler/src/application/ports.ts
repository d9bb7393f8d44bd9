import type { CrmAdapter } from '@counterpart/crm-port';
import type {
  DeadLetter,
  SourceEvent,
  SourceId,
  SyncResult,
  TenantId,
  UnknownOperation,
} from '@counterpart/sync-model';
import type { Finding } from '../domain/finding.js';
import type { Readback } from '../domain/readback.js';

/** A message for the outbox, before it is encoded. */
export type Outgoing = { readonly traceparent: string | null } & (
  | { readonly topic: 'counterpart.source-events.v1'; readonly value: SourceEvent }
  | { readonly topic: 'counterpart.dead-letters.v1'; readonly value: DeadLetter }
);

/** A value that came by Kafka, with the trace it belongs to. */
export interface Received<Value> {
  readonly value: Value;
  readonly traceparent: string | null;
}

/** What one probed operation leaves behind; all of it is stored together or not at all. */
export interface ProbeEnding {
  readonly readback: Readback;
  readonly leaseToken: string;
  readonly next:
    | { readonly state: 'answered'; readonly event: SourceEvent }
    | { readonly state: 'waiting'; readonly dueAtMs: number; readonly counts: boolean }
    | { readonly state: 'given-up' };
  /** For operators: why it is where it is. */
  readonly code: string;
  /** A finding for the case of this operation, if somebody has to know. */
  readonly finding: Finding | null;
}

export interface ReadbackStore {
  /** Keeps operations to look for; a lower version than the one known changes nothing. */
  keep(received: readonly Received<UnknownOperation>[], parked: readonly Outgoing[]): Promise<void>;
  /** Takes due readbacks under one lease token, fairly between sources, none of the busy ones. */
  takeDue(question: {
    readonly nowMs: number;
    readonly leaseToken: string;
    readonly leaseMs: number;
    readonly busy: readonly SourceRef[];
    readonly perSource: number;
    readonly limit: number;
  }): Promise<readonly Readback[]>;
  /** Stores endings with their events and cases; those whose lease was lost are left alone. */
  end(endings: readonly ProbeEnding[], nowMs: number): Promise<void>;
}

export interface SourceRef {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
}

export interface CaseStore {
  /** Follows results: readbacks of settled operations are overtaken, cases move. */
  followResults(results: readonly SyncResult[], parked: readonly Outgoing[]): Promise<void>;
  /** Opens or refreshes the cases of dead letters. */
  keepFindings(findings: readonly Finding[], parked: readonly Outgoing[]): Promise<void>;
}

export type OpenedSource =
  | { readonly ok: true; readonly adapter: CrmAdapter }
  | { readonly ok: false; readonly code: string; readonly retryAtMs: number | null };

export interface Sources {
  /** The adapter of a source under its newest plan. Makes no call to the CRM. */
  open(tenantId: TenantId, sourceId: SourceId): Promise<OpenedSource>;
}

/** Tells of one probe; for spans and metrics. Ids and codes only. */
export interface ReadbackObserver {
  probe<T>(readbacks: readonly Readback[], work: () => Promise<T>): Promise<T>;
  ended(readback: Readback, verdict: string): void;
}
