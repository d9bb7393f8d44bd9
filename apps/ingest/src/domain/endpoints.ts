import type { InboundSource } from '@counterpart/crm-port';
import { ingestSlice, type SyncPlan } from '@counterpart/sync-plan';
import type { AppSource } from './read-app-changes.js';

export interface AppEntry {
  readonly source: AppSource;
  readonly secretRefs: readonly string[];
}

/** An address providers deliver to. Several sources may share it, and then share its secrets. */
export interface Endpoint {
  readonly provider: string;
  readonly secretRefs: readonly string[];
  /** By the provider's id of the instance. */
  readonly sources: ReadonlyMap<string, InboundSource>;
}

export interface Doors {
  /** By `tenant/source`. */
  readonly apps: ReadonlyMap<string, AppEntry>;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Sources whose endpoint and instance another source has already; they receive nothing. */
  readonly contested: readonly {
    readonly endpoint: string;
    readonly tenantId: string;
    readonly sourceId: string;
  }[];
}

export const appKey = (tenantId: string, sourceId: string): string =>
  `${tenantId}\u001f${sourceId}`;

/**
 * Every address we answer at, from all plans. Where two sources claim the same instance at one
 * endpoint, the plan that comes first keeps it: a later plan can never take over the deliveries of
 * another tenant.
 */
export const doorsOf = (plans: readonly SyncPlan[]): Doors => {
  const apps = new Map<string, AppEntry>();
  const endpoints = new Map<
    string,
    { provider: string; secretRefs: readonly string[]; sources: Map<string, InboundSource> }
  >();
  const contested: Doors['contested'][number][] = [];
  for (const plan of plans) {
    const slice = ingestSlice(plan);
    for (const app of slice.apps)
      apps.set(appKey(plan.tenantId, app.sourceId), {
        source: {
          tenantId: plan.tenantId,
          sourceId: app.sourceId,
          recordTypes: app.recordTypes,
          fieldTypes: slice.records,
        },
        secretRefs: app.secrets,
      });
    for (const hook of slice.webhooks) {
      const instanceId = String(hook.settings['portalId'] ?? '');
      const known = endpoints.get(hook.endpoint) ?? {
        provider: hook.provider,
        secretRefs: hook.secrets,
        sources: new Map(),
      };
      const isTaken =
        known.sources.has(instanceId) ||
        known.provider !== hook.provider ||
        known.secretRefs.join() !== hook.secrets.join();
      if (isTaken) {
        contested.push({
          endpoint: hook.endpoint,
          tenantId: plan.tenantId,
          sourceId: hook.sourceId,
        });
        continue;
      }
      known.sources.set(instanceId, {
        tenantId: plan.tenantId,
        sourceId: hook.sourceId,
        instanceId,
        ownMarker: String(hook.settings['appId'] ?? ''),
        records: hook.records,
      });
      endpoints.set(hook.endpoint, known);
    }
  }
  return { apps, endpoints, contested };
};
