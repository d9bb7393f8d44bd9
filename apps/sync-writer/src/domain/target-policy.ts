import type { FieldType } from '@counterpart/sync-model';
import { recordMapsOf, recordPlanOf, type SyncPlan } from '@counterpart/sync-plan';
import type { TargetPolicy } from './plan-target.js';
import type { Need } from './work.js';

/** Everything the merge at a target asks of the plan. */
export interface FullPolicy extends TargetPolicy {
  readonly owners: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, FieldType>>;
}

/** Which fields of a need's record type its target maps, who owns them, what they are. */
export const targetPolicy = (
  plan: SyncPlan,
  need: Pick<Need, 'target' | 'recordType'>,
): FullPolicy => {
  const fields = Object.entries(recordPlanOf(plan, need.recordType)?.fields ?? {});
  const owners = Object.fromEntries(fields.map(([field, { owner }]) => [field, owner]));
  const map = recordMapsOf(plan, need.target).find((m) => m.recordType === need.recordType);
  return {
    target: need.target,
    mapped: map?.fields.map(({ field }) => field) ?? [],
    ownerOf: (field) => owners[field] ?? 'review',
    owners,
    types: Object.fromEntries(fields.map(([field, { fieldType }]) => [field, fieldType])),
  };
};
