import type { CallBudget, Connection, CrmAdapter, CrmPorts, HttpSend } from '@counterpart/crm-port';
import type { PlanStore, VersionedPlan } from '@counterpart/plan-store';
import type { Clock, SourceId, TenantId } from '@counterpart/sync-model';
import {
  connectionOf,
  sourcePlanOf,
  type ConnectionPorts,
  type CrmSourcePlan,
} from '@counterpart/sync-plan';
import type { OpenedSource, Sources } from '../../application/ports.js';

export interface SourcePorts extends ConnectionPorts {
  readonly plans: Pick<PlanStore, 'planOf'>;
  readonly adapterFor: (connection: Connection, ports: CrmPorts) => CrmAdapter | undefined;
  readonly http: HttpSend;
  readonly clock: Clock;
  readonly budgetOf: (tenantId: TenantId, sourceId: SourceId, plan: CrmSourcePlan) => CallBudget;
}

/**
 * CRM sources by tenant, each opened once per version of its plan. A source that cannot be opened
 * (a secret that is not there yet) is not remembered as such.
 */
export const createCrmSources = (ports: SourcePorts): Sources => {
  const opened = new Map<string, { readonly version: number; readonly adapter: CrmAdapter }>();
  return {
    async open(tenantId, sourceId) {
      const current = await ports.plans.planOf(tenantId);
      if (current === null) return closed('no-plan');
      const key = `${tenantId}\u001f${sourceId}`;
      const known = opened.get(key);
      if (known?.version === current.version) return { ok: true, adapter: known.adapter };
      const result = await openSource(current, sourceId, ports);
      if (result.ok) opened.set(key, { version: current.version, adapter: result.adapter });
      return result;
    },
  };
};

const closed = (code: string): OpenedSource => ({ ok: false, code, retryAtMs: null });

async function openSource(
  { plan }: VersionedPlan,
  sourceId: SourceId,
  ports: SourcePorts,
): Promise<OpenedSource> {
  const source = sourcePlanOf(plan, sourceId);
  if (source?.kind !== 'crm') return closed('not-a-crm-source');
  const connected = await connectionOf(plan, sourceId, ports);
  if (!connected.ok) return closed(connected.code);
  const adapter = ports.adapterFor(connected.connection, {
    http: ports.http,
    clock: ports.clock,
    budget: ports.budgetOf(plan.tenantId, sourceId, source),
  });
  return adapter === undefined ? closed('unknown-provider') : { ok: true, adapter };
}
