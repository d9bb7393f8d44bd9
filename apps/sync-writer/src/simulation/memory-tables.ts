import {
  hash128,
  recordKey,
  type EntityId,
  type SourceEvent,
  type SyncOperation,
  type UnknownOperation,
} from '@counterpart/sync-model';
import type { RequestTimes } from '../domain/claim.js';
import { mappingKey } from '../domain/identity-snapshot.js';
import type { Operation } from '../domain/operation.js';
import type { Outgoing } from '../domain/outgoing.js';
import type { Entity, Mapping, Need } from '../domain/work.js';

export interface LaneRow {
  readonly laneId: string;
  isOpen: boolean;
  dueAtMs: number;
  owner: string | null;
  epoch: number;
  attempts: number;
  firstFailedAtMs: number | null;
  waitingOn: string | null;
  readonly inbox: { readonly seq: number; readonly operation: SyncOperation; settled: boolean }[];
}

export interface ClaimRecord {
  readonly claimKey: string;
  readonly need: Need;
  token: string;
  state: 'claimed' | 'sending';
  operationId: string;
  leaseUntilMs: number;
  request: RequestTimes | null;
}

export interface OperationRecord {
  operation: Operation;
  outcome: string | null;
  reason: string;
}

/**
 * The writer's tables in memory, for one tenant. A simulated store works on them in one go, which is
 * what a serialisable transaction promises; that the SQL keeps the promise is proved on PostgreSQL.
 */
export class MemoryTables {
  readonly lanes = new Map<string, LaneRow>();
  readonly entities = new Map<EntityId, Entity>();
  readonly keys = new Map<string, EntityId>();
  readonly mappings = new Map<string, Mapping>();
  readonly claims = new Map<string, ClaimRecord>();
  readonly operations = new Map<string, OperationRecord>();
  readonly edges = new Set<string>();
  readonly outbox: Outgoing[] = [];
  /** Statements of unknown operations that the reconciler has answered. */
  readonly answered = new Set<string>();
  private readonly kept = new Set<string>();
  private seqs = 0;

  /** As the consumer keeps an operation: a redelivery meets its own row. */
  keep(event: SourceEvent, nowMs: number): void {
    if (this.kept.has(event.eventKey)) return;
    this.kept.add(event.eventKey);
    const laneId = hash128(recordKey(event));
    const lane = this.lanes.get(laneId) ?? emptyLane(laneId);
    this.lanes.set(laneId, lane);
    const gate = { reason: 'new', suppressed: [], decidedAtMs: nowMs } as const;
    lane.inbox.push({ seq: (this.seqs += 1), operation: { event, gate }, settled: false });
    if (!lane.isOpen) lane.dueAtMs = nowMs;
    lane.isOpen = true;
  }

  /** Whether the reconciler still has to look for it. */
  isOpen({ messageId, operationId, operationVersion }: UnknownOperation): boolean {
    const operation = this.operations.get(operationId)?.operation;
    return (
      !this.answered.has(messageId) &&
      operation?.state === 'unknown' &&
      operation.version === operationVersion
    );
  }

  /** Nothing is left to do, nothing waits for anybody. */
  isAtRest(): boolean {
    return this.claims.size === 0 && [...this.lanes.values()].every(({ isOpen }) => !isOpen);
  }

  saveMapping(tenantId: Parameters<typeof mappingKey>[0], mapping: Mapping): void {
    this.mappings.set(mappingKey(tenantId, mapping), mapping);
  }

  mappingsOf(entityId: EntityId): readonly Mapping[] {
    return [...this.mappings.values()].filter((mapping) => mapping.entityId === entityId);
  }
}

const emptyLane = (laneId: string): LaneRow => ({
  laneId,
  isOpen: false,
  dueAtMs: 0,
  owner: null,
  epoch: 0,
  attempts: 0,
  firstFailedAtMs: null,
  waitingOn: null,
  inbox: [],
});
