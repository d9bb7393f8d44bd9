import type { SyncPlan } from '@counterpart/sync-plan';
import { needKey, type Need } from '../domain/work.js';
import type { SettlePorts } from './settle-ports.js';
import { writeNeeds, type Outcomes } from './write-needs.js';

/**
 * Needs of one tenant by target and record type, each group in a pass of its own, side by side. What
 * two events both need is needed once; the first that asks names it.
 */
export const writeGroups = async (
  needs: readonly Need[],
  plan: SyncPlan,
  { writes: store, sources, clock, metrics }: SettlePorts,
): Promise<Outcomes> => {
  const groups = new Map<string, Map<string, Need>>();
  for (const need of needs) {
    const key = `${need.target}\u001f${need.recordType}`;
    const group = groups.get(key) ?? new Map<string, Need>();
    if (!group.has(needKey(need))) group.set(needKey(need), need);
    groups.set(key, group);
  }
  const context = { store, sources, clock, metrics, plan };
  const written = await Promise.all(
    [...groups.values()].map((group) => writeNeeds([...group.values()], context)),
  );
  return new Map(written.flatMap((outcomes) => [...outcomes]));
};
