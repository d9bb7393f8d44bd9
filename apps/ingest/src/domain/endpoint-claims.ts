/**
 * Who receives for which instance of a provider. A claim counts from the version of the plan that
 * named it first and keeps that stamp while later versions name it still, so that applying a plan
 * again never loses a place, and adding somebody else's instance to an old plan never gains one.
 */
export interface EndpointClaim {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly endpoint: string;
  readonly instanceId: string;
  /** Of the plan that names it now. */
  readonly version: number;
}

/** The version a tenant's plan had when it named the instance first; undefined: now. */
export type SinceWhen = (claim: EndpointClaim) => number | undefined;

export const claimKey = (claim: EndpointClaim): string =>
  [claim.tenantId, claim.sourceId, claim.endpoint, claim.instanceId].join('\u001f');

/** Claims on a place that another source claimed before: its source receives nothing there. */
export const contestedIn = (
  claims: readonly EndpointClaim[],
  since: SinceWhen,
): readonly EndpointClaim[] => {
  const first = new Map<string, EndpointClaim>();
  const stamp = (claim: EndpointClaim) => since(claim) ?? claim.version;
  const isEarlier = (a: EndpointClaim, b: EndpointClaim): boolean =>
    stamp(a) !== stamp(b) ? stamp(a) < stamp(b) : claimKey(a) < claimKey(b);
  for (const claim of claims) {
    const place = placeKey(claim);
    const known = first.get(place);
    if (known === undefined || isEarlier(claim, known)) first.set(place, claim);
  }
  return claims.filter((claim) => first.get(placeKey(claim)) !== claim);
};

const placeKey = (claim: EndpointClaim): string => `${claim.endpoint}\u001f${claim.instanceId}`;
