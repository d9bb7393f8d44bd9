import type { InboundSource, InstancePlace } from '@counterpart/crm-port';
import type { IngestSlice } from '@counterpart/sync-plan';
import { claimKey, contestedIn, type EndpointClaim, type SinceWhen } from './endpoint-claims.js';
import { groupBy } from './group-by.js';
import type { AppSource } from './read-app-changes.js';

export interface AppEntry {
  readonly source: AppSource;
  readonly secretRefs: readonly string[];
}

/**
 * Sources that receive at one address from one provider and with the same secrets. A delivery
 * reaches only the sources of a group whose secrets verify it: whoever names somebody else's
 * address in his plan can sign nothing there but for himself.
 */
export interface SecretGroup {
  readonly provider: string;
  readonly secretRefs: readonly string[];
  /** By the provider's id of the instance. */
  readonly sources: ReadonlyMap<string, InboundSource>;
}

export interface Doors {
  /** By `appKey`. */
  readonly apps: ReadonlyMap<string, AppEntry>;
  /** By the name of the endpoint. */
  readonly endpoints: ReadonlyMap<string, readonly SecretGroup[]>;
}

/** A tenant's plan as far as ingest knows it, with its version. */
export type VersionedSlice = IngestSlice & { readonly version: number };

/** How a provider reads its instance, and our marker there, from a source's settings. */
export type PlaceOf = (
  provider: string,
  settings: Readonly<Record<string, unknown>>,
) => InstancePlace;

export const appKey = (tenantId: string, sourceId: string): string =>
  `${tenantId}\u001f${sourceId}`;

/**
 * Every address we answer at, from all plans. Where two sources claim the same instance at one
 * endpoint, the one that claimed it first keeps it: no plan takes over another's deliveries.
 */
export const doorsOf = (
  plans: readonly VersionedSlice[],
  since: SinceWhen,
  placeOf: PlaceOf,
): Doors => {
  const receivers = plans.flatMap((plan) => receiversOf(plan, placeOf));
  const claims = receivers.map(({ claim }) => claim);
  const contested = new Set(contestedIn(claims, since).map(claimKey));
  const admitted = receivers.filter(({ claim }) => !contested.has(claimKey(claim)));
  const byEndpoint = groupBy(admitted, ({ claim }) => claim.endpoint);
  return {
    apps: new Map(plans.flatMap((plan) => plan.apps.map((app) => appEntry(plan, app)))),
    endpoints: new Map([...byEndpoint].map(([name, atIt]) => [name, groupsOf(atIt)])),
  };
};

/** The instances a plan wants to receive for, each at its endpoint. */
export const claimsOf = (plan: VersionedSlice, placeOf: PlaceOf): readonly EndpointClaim[] =>
  receiversOf(plan, placeOf).map(({ claim }) => claim);

interface Receiver {
  readonly claim: EndpointClaim;
  readonly provider: string;
  readonly secretRefs: readonly string[];
  readonly source: InboundSource;
}

const receiversOf = (plan: VersionedSlice, placeOf: PlaceOf): readonly Receiver[] =>
  plan.webhooks.flatMap(({ sourceId, endpoint, provider, secrets, settings, records }) => {
    const { tenantId, version } = plan;
    const place = placeOf(provider, settings);
    if (place.instanceId === '') return [];
    return [
      {
        claim: { tenantId, sourceId, endpoint, instanceId: place.instanceId, version },
        provider,
        secretRefs: secrets,
        source: { tenantId, sourceId, ...place, records },
      },
    ];
  });

const groupsOf = (receivers: readonly Receiver[]): readonly SecretGroup[] =>
  [
    ...groupBy(receivers, ({ provider, secretRefs }) => JSON.stringify([provider, secretRefs])),
  ].flatMap(([, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            provider: first.provider,
            secretRefs: first.secretRefs,
            sources: new Map(
              [first, ...others].map(({ source }) => [source.instanceId, source] as const),
            ),
          },
        ],
  );

const appEntry = (
  plan: VersionedSlice,
  app: IngestSlice['apps'][number],
): readonly [string, AppEntry] => {
  const { tenantId, records: fieldTypes } = plan;
  const { sourceId, recordTypes } = app;
  return [
    appKey(tenantId, sourceId),
    { source: { tenantId, sourceId, recordTypes, fieldTypes }, secretRefs: app.secrets },
  ];
};
