import { doorsOf, type Doors, type PlaceOf, type VersionedSlice } from '../domain/endpoints.js';
import type { ClaimStore } from './ports.js';

export interface DoorsPorts {
  /** The same array until a plan changes. */
  readonly slices: () => Promise<readonly VersionedSlice[]>;
  readonly claims: Pick<ClaimStore, 'since'>;
  readonly placeOf: PlaceOf;
}

/**
 * The doors of all plans, built again only when a plan has changed. When they cannot be built, the
 * last ones stay in force; rejects when there are none yet.
 */
export const createDoors = ({ slices, claims, placeOf }: DoorsPorts): (() => Promise<Doors>) => {
  let last: Doors | undefined;
  let latest:
    { readonly of: readonly VersionedSlice[]; readonly doors: Promise<Doors> } | undefined;
  const build = async (plans: readonly VersionedSlice[]): Promise<Doors> =>
    doorsOf(plans, await claims.since(), placeOf);
  return async () => {
    const plans = await slices();
    if (latest?.of !== plans) latest = { of: plans, doors: build(plans) };
    const { doors } = latest;
    try {
      last = await doors;
    } catch (error) {
      if (latest?.doors === doors) latest = undefined;
      if (last === undefined) throw error;
    }
    return last;
  };
};
