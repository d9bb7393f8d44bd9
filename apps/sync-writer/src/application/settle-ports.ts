import type { Clock, Random, RetryBudget } from '@counterpart/sync-model';
import type { EndWorld } from '../domain/end-item.js';
import type { EdgeStore, IdentityStore, Sources, WriteStore, WriterMetrics } from './ports.js';

/** Everything a pass works with. */
export interface SettlePorts {
  readonly identity: IdentityStore;
  readonly writes: WriteStore;
  readonly edges: EdgeStore;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: WriterMetrics;
  readonly budget: RetryBudget;
}

/** What an ending is decided by, now. */
export const worldOf = ({ clock, random, budget }: SettlePorts): EndWorld => ({
  nowMs: clock.nowMs(),
  fraction: random.fraction(),
  budget,
});
