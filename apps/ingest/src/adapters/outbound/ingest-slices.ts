import type { PlanStore, VersionedPlan } from '@counterpart/plan-store';
import { ingestSlice } from '@counterpart/sync-plan';
import type { VersionedSlice } from '../../domain/endpoints.js';

/** What ingest keeps of all plans; the same array until one of them changes. */
export const createSlices = (plans: PlanStore): (() => Promise<readonly VersionedSlice[]>) => {
  let cut:
    | { readonly of: readonly VersionedPlan[]; readonly slices: readonly VersionedSlice[] }
    | undefined;
  return async () => {
    const all = await plans.all();
    if (cut?.of !== all)
      cut = {
        of: all,
        slices: all.map(({ plan, version }) => ({ ...ingestSlice(plan), version })),
      };
    return cut.slices;
  };
};
