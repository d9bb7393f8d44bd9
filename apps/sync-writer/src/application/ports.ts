import type { CrmAdapter, RecordCapabilities } from '@counterpart/crm-port';
import type {
  EntityId,
  EventKey,
  ExternalId,
  OperationId,
  ReadbackFinding,
  RecordType,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';
import type { SyncPlan } from '@counterpart/sync-plan';
import type { ClaimRow, ClaimVerdict, RequestTimes } from '../domain/claim.js';
import type { ItemEnding } from '../domain/end-item.js';
import type {
  IdentityChanges,
  IdentityRequest,
  IdentitySnapshot,
} from '../domain/identity-snapshot.js';
import type { Operation, Settlement } from '../domain/operation.js';
import type { TargetPlan } from '../domain/plan-target.js';
import type { Entity, Mapping, Need, NeedOutcome, WorkItem } from '../domain/work.js';

/** How one lane leaves this worker: its head settled, or put back for later. */
export type LaneEnding = Pick<WorkItem, 'tenantId' | 'laneId' | 'epoch' | 'seq'> & ItemEnding;

/** A lane under the epoch of this worker's hold on it. */
export type HeldLane = Pick<WorkItem, 'tenantId' | 'laneId' | 'epoch'>;

/** Inbox and lanes. */
export interface LaneStore {
  /** Due lanes, fair across tenants and live before backfill; none of a busy tenant. */
  take(question: {
    readonly limit: number;
    readonly busy: readonly TenantId[];
  }): Promise<readonly WorkItem[]>;
  /** Ends this worker's hold on the lanes; an ending of an overtaken epoch changes and tells nothing. */
  finish(endings: readonly LaneEnding[]): Promise<void>;
  /** Extends the lease of lanes in hand; one that was taken over meanwhile stays so. */
  renew(lanes: readonly HeldLane[]): Promise<void>;
}

/** The identity graph. */
export interface IdentityStore {
  /** Mappings of these records, without locks: to see which are new to us. */
  known(
    request: Pick<IdentityRequest, 'tenantId' | 'records'>,
  ): Promise<ReadonlyMap<string, Mapping>>;
  /**
   * Loads and locks the snapshot, lets `decide` work on it, saves what it wants, in one
   * transaction; runs again when another worker took one of the same keys in between. `held` names
   * those of `lanes` that are still this worker's, and stay so until the transaction ends: what an
   * overtaken lane asks for must not be decided, its new owner decides it.
   */
  transact<T>(
    request: IdentityRequest,
    lanes: readonly HeldLane[],
    decide: (
      snapshot: IdentitySnapshot,
      held: ReadonlySet<string>,
    ) => {
      readonly changes: IdentityChanges;
      readonly result: T;
    },
  ): Promise<T>;
}

export interface ClaimRequest {
  readonly need: Need;
  readonly claimKey: string;
  readonly claimedLeaseMs: number;
  readonly sendingLeaseMs: number;
  readonly strongProbe: boolean;
}

/** What a need may do now; `write` and `probe` hold the claim under `token`. */
export type ClaimAnswer =
  | ({ readonly kind: 'write' } & HeldClaim)
  | ({ readonly kind: 'probe'; readonly request: RequestTimes } & HeldClaim)
  /** Its sender is gone and nothing can tell yet: the operation is to be named unknown. */
  | ({ readonly kind: 'name-unknown'; readonly request: RequestTimes } & HeldClaim)
  | { readonly kind: 'linked'; readonly externalId: ExternalId }
  | { readonly kind: 'gone'; readonly reason: string }
  /** This very write is held for a person, or was refused for good. */
  | Extract<NeedOutcome, { kind: 'parked' }>
  | { readonly kind: 'wait'; readonly claimKey: string; readonly untilMs: number };

export interface HeldClaim {
  readonly token: string;
  readonly claimKey: string;
  readonly operation: Operation;
  readonly entity: Entity;
  readonly mapping: Mapping | null;
}

export interface ClaimDecisions {
  readonly nowMs: () => number;
  readonly plan: (need: Need, entity: Entity, mapping: Mapping | undefined) => TargetPlan;
  readonly operationIdOf: (need: Need, plan: TargetPlan) => OperationId;
  readonly held: (row: ClaimRow, strongProbe: boolean) => ClaimVerdict;
}

export interface ToldAt {
  readonly target: SourceId;
  readonly entityId: EntityId;
}

export type Refusal = 'overtaken' | 'mapped-elsewhere';

/** What became of settlements, by token. */
export interface Committed {
  /** Overtaken by another holder, or naming a record that belongs to another entity. */
  readonly refused: ReadonlyMap<string, Refusal>;
  /** Their entity has changed since the write was planned: the target may be behind it again. */
  readonly outdated: ReadonlySet<string>;
}

/** Claims, operations, mappings of targets: everything around one CRM write. */
export interface WriteStore {
  /** Takes claims in the transaction that checks the mappings; answers in order. */
  claim(requests: readonly ClaimRequest[], decide: ClaimDecisions): Promise<readonly ClaimAnswer[]>;
  /**
   * Compare-and-set `claimed → sending` under the tokens; answers those that still hold and whose
   * entity is as it was when the write was planned.
   */
  markSending(
    sends: readonly {
      readonly tenantId: TenantId;
      readonly token: string;
      readonly entityVersion: number;
      readonly leaseMs: number;
      readonly settleMs: number;
    }[],
  ): Promise<ReadonlySet<string>>;
  /** Gives up claims under which nothing was sent, and wakes waiters. */
  release(
    claims: readonly { readonly tenantId: TenantId; readonly token: string }[],
  ): Promise<void>;
  /** Commits endings under their tokens and wakes waiters. */
  settle(settlements: readonly Settlement[]): Promise<Committed>;
  /** Of these events, the targets at which an operation's own result has told of them already. */
  toldAt(
    tenantId: TenantId,
    eventKeys: readonly EventKey[],
  ): Promise<ReadonlyMap<EventKey, readonly ToldAt[]>>;
  /**
   * Requests whose sender is long gone and whose operation nobody has named: whoever wanted them may
   * want nothing any more, and would never meet their claims. The claims are ours from now on.
   */
  takeLost(limit: number): Promise<readonly LostRequest[]>;
  /** The operation that a statement named unknown; null when nobody has heard of it. */
  statedOperation(
    tenantId: TenantId,
    statement: Pick<ReadbackFinding, 'operationId' | 'operationVersion'>,
  ): Promise<StatedOperation | null>;
}

export interface LostRequest {
  readonly operation: Operation;
  readonly token: string;
  readonly claimKey: string;
  readonly request: RequestTimes;
}

export interface StatedOperation {
  readonly operation: Operation;
  /** The claim that still guards it; null when it is settled, tried anew or named anew. */
  readonly open: {
    readonly token: string;
    readonly claimKey: string;
    readonly request: RequestTimes;
    readonly mapping: Mapping | null;
  } | null;
}

export interface Edge {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly fromType: RecordType;
  readonly fromId: ExternalId;
  readonly toType: RecordType;
  readonly toId: ExternalId;
}

/** Associations made at targets. */
export interface EdgeStore {
  missing(edges: readonly Edge[]): Promise<readonly Edge[]>;
  record(edges: readonly Edge[]): Promise<void>;
}

/** A tenant's CRM sources, ready to be called. */
export interface Sources {
  planOf(tenantId: TenantId): Promise<SyncPlan | null>;
  /** The adapter and what the source offers; a value when it cannot be prepared now. */
  open(
    tenantId: TenantId,
    sourceId: SourceId,
  ): Promise<
    | {
        readonly ok: true;
        readonly provider: string;
        readonly adapter: CrmAdapter;
        readonly capabilities: ReadonlyMap<RecordType, RecordCapabilities>;
        readonly timing: {
          readonly requestDeadlineMs: number;
          readonly crmLongestRunMs: number;
          readonly indexLagMs: number;
        };
      }
    | { readonly ok: false; readonly code: string; readonly retryAtMs: number | null }
  >;
}

/** Counters an operator watches; names are fixed in one place by the adapter. */
export interface WriterMetrics {
  settled(outcome: string): void;
  fenceRefused(count: number): void;
  claimTakenOver(kind: 'probe' | 'name-unknown'): void;
}
