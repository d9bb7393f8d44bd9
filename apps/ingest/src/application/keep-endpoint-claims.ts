import { contestedIn } from '../domain/endpoint-claims.js';
import { claimsOf, type PlaceOf, type VersionedSlice } from '../domain/endpoints.js';
import type { ClaimStore, Refused } from './ports.js';

export interface ClaimPorts {
  readonly slices: () => Promise<readonly VersionedSlice[]>;
  readonly claims: ClaimStore;
  readonly placeOf: PlaceOf;
  readonly refused: (refused: Refused) => void;
}

/**
 * After new plans of some tenants are stored: stamps the instances they name, forgets those they
 * name no longer, and tells which of their sources receive nothing, because another source claimed
 * the same instance before. Throws when the claims cannot be kept; run it again then.
 */
export const keepEndpointClaims = async (
  tenantIds: ReadonlySet<string>,
  { slices, claims, placeOf, refused }: ClaimPorts,
): Promise<void> => {
  const plans = await slices();
  const all = plans.flatMap((plan) => claimsOf(plan, placeOf));
  await claims.keep(
    [...tenantIds],
    all.filter(({ tenantId }) => tenantIds.has(tenantId)),
  );
  for (const { tenantId, sourceId } of contestedIn(all, await claims.since()))
    if (tenantIds.has(tenantId)) refused({ tenantId, sourceId, code: 'endpoint-contested' });
};
