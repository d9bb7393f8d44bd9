import type { CrmAdapter, RecordCapabilities } from '@counterpart/crm-port';
import type { Clock } from '@counterpart/sync-model';
import type { SyncPlan } from '@counterpart/sync-plan';
import type { RequestTimes, Timing } from '../domain/claim.js';
import type { ClaimedWrite, WriteEnding } from '../domain/settle-write.js';
import type { Entity, Need } from '../domain/work.js';
import type { Sources, WriteStore, WriterMetrics } from './ports.js';

/** What every step of a write works with. */
export interface WriteContext {
  readonly store: WriteStore;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly metrics: WriterMetrics;
  readonly plan: SyncPlan;
}

export interface OpenSource {
  readonly adapter: CrmAdapter;
  readonly capabilities: RecordCapabilities;
  readonly timing: Timing;
  readonly provider: string;
}

/** A write that holds its claim. */
export interface Held extends ClaimedWrite {
  readonly need: Need;
  readonly entity: Entity;
}

/** A request that may be under way, until its settle time. */
export type Sent = Held & { readonly request: RequestTimes };

export interface Ended {
  readonly held: Held;
  readonly ending: WriteEnding;
  readonly request: RequestTimes;
  readonly provider: string;
}
