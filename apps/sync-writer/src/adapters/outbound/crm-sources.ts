import type { CallBudget, CrmAdapter, HttpSend, RecordCapabilities } from '@counterpart/crm-port';
import { adapterFor } from '@counterpart/crm-registry';
import type { Clock, RecordType, SourceId, TenantId } from '@counterpart/sync-model';
import {
  connectionOf,
  type ConnectionPorts,
  sourcePlanOf,
  type CrmSourcePlan,
  type SyncPlan,
} from '@counterpart/sync-plan';
import type { Sources } from '../../application/ports.js';
import { timingFaults } from '../../domain/claim.js';

/** A tenant's plan with the version that tells a newer one from it. */
export interface VersionedPlan {
  readonly plan: SyncPlan;
  readonly version: number;
}

type Opened = Awaited<ReturnType<Sources['open']>>;

/** What could not be prepared is tried again after this. */
const prepareAgainMs = 2_000;

/**
 * CRM sources by tenant, each opened once per version of its plan: secret resolved, adapter made,
 * and asked what the source really offers (it may create our own unique property on the way).
 */
export const createCrmSources = (
  ports: ConnectionPorts & {
    readonly planOf: (tenantId: TenantId) => Promise<VersionedPlan | null>;
    readonly http: HttpSend;
    readonly clock: Clock;
    readonly budgetOf: (
      tenantId: TenantId,
      sourceId: SourceId,
      source: CrmSourcePlan,
    ) => CallBudget;
  },
): Sources => {
  const opened = new Map<string, { readonly version: number; readonly ready: Promise<Opened> }>();
  return {
    planOf: async (tenantId) => (await ports.planOf(tenantId))?.plan ?? null,
    async open(tenantId, sourceId) {
      const current = await ports.planOf(tenantId);
      if (current === null) return { ok: false, code: 'no-plan', retryAtMs: null };
      const key = `${tenantId}\u001f${sourceId}`;
      const known = opened.get(key);
      if (known?.version === current.version) return known.ready;
      const ready = openSource(current.plan, sourceId, ports);
      opened.set(key, { version: current.version, ready });
      const result = await ready;
      // A source that could not be prepared is not remembered as such.
      if (!result.ok && opened.get(key)?.ready === ready) opened.delete(key);
      return result;
    },
  };
};

const openSource = async (
  plan: SyncPlan,
  sourceId: SourceId,
  ports: Parameters<typeof createCrmSources>[0],
): Promise<Opened> => {
  const again = ports.clock.nowMs() + prepareAgainMs;
  const source = sourcePlanOf(plan, sourceId);
  const connected = await connectionOf(plan, sourceId, ports);
  if (!connected.ok) return { ok: false, code: connected.code, retryAtMs: again };
  if (source?.kind !== 'crm') return { ok: false, code: 'not-a-crm-source', retryAtMs: null };
  if (timingFaults(source.timing).length > 0)
    return { ok: false, code: 'unsound-timing', retryAtMs: null };
  const budget = ports.budgetOf(plan.tenantId, sourceId, source);
  const adapter = adapterFor(connected.connection, {
    http: ports.http,
    clock: ports.clock,
    budget,
  });
  if (adapter === undefined) return { ok: false, code: 'unknown-provider', retryAtMs: null };
  const prepared = await adapter.prepare();
  if (!isCapabilities(prepared))
    return { ok: false, code: prepared.code, retryAtMs: prepared.retryAtMs ?? again };
  return {
    ok: true,
    provider: source.provider,
    adapter,
    capabilities: prepared,
    timing: source.timing,
  };
};

const isCapabilities = (
  prepared: Awaited<ReturnType<CrmAdapter['prepare']>>,
): prepared is ReadonlyMap<RecordType, RecordCapabilities> => prepared instanceof Map;
