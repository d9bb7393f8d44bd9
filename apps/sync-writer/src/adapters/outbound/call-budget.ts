import type { CallBudget, CallScope } from '@counterpart/crm-port';
import type { Clock, SourceId, TenantId } from '@counterpart/sync-model';
import type { QuotaPlan } from '@counterpart/sync-plan';
import type { CallGrant, CallLimiter, CallWindow } from '@counterpart/platform-redis';
import type { SourcePauses } from './source-pauses.js';

const secondMs = 1_000;

/** The provider's windows for one scope; searches are counted apart, as providers do. */
export const windowsOf = (quota: QuotaPlan, scope: CallScope): readonly CallWindow[] =>
  scope === 'search'
    ? [{ ms: secondMs, calls: quota.searchPerSecond }]
    : [
        { ms: 10 * secondMs, calls: quota.perTenSeconds },
        ...(quota.perSecond === null ? [] : [{ ms: secondMs, calls: quota.perSecond }]),
      ];

/**
 * The shared quota of one source. Redis counts for all pods. While it cannot be asked, a process
 * grants on its own, from a fraction of the quota, and honours the pauses kept in PostgreSQL: it is
 * slower then, never above the quota.
 */
export const createCallBudget = (ports: {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly quota: QuotaPlan;
  readonly shared: CallLimiter | null;
  readonly alone: CallLimiter;
  readonly pauses: SourcePauses;
  readonly clock: Clock;
  /** Part of the quota one process may use on its own. */
  readonly aloneShare: number;
}): CallBudget => {
  let pausedUntilMs = 0;
  const keyOf = (scope: CallScope): string => `${ports.tenantId}/${ports.sourceId}/${scope}`;
  const request = (scope: CallScope, share: number) => ({
    key: keyOf(scope),
    reserve: ports.quota.reserve,
    windows: windowsOf(ports.quota, scope).map(({ ms, calls }) => ({
      ms,
      calls: Math.max(1, Math.floor(calls * share)),
    })),
  });
  const takeAlone = async (scope: CallScope): Promise<CallGrant> => {
    const untilMs = await ports.pauses.untilMs(ports.tenantId, ports.sourceId);
    if (untilMs > ports.clock.nowMs()) return { kind: 'wait', retryAtMs: untilMs };
    const grant = await ports.alone.take(request(scope, ports.aloneShare));
    return grant.kind === 'unavailable'
      ? { kind: 'wait', retryAtMs: ports.clock.nowMs() + secondMs }
      : grant;
  };
  return {
    async take(scope) {
      if (pausedUntilMs > ports.clock.nowMs()) return { ok: false, retryAtMs: pausedUntilMs };
      const shared = ports.shared === null ? null : await ports.shared.take(request(scope, 1));
      const grant =
        shared === null || shared.kind === 'unavailable' ? await takeAlone(scope) : shared;
      return grant.kind === 'ok' ? { ok: true } : { ok: false, retryAtMs: grant.retryAtMs };
    },
    async pause(untilMs, reason) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
      // Redis tells the other pods within a moment; PostgreSQL keeps it.
      await Promise.all([
        ports.shared?.pause(keyOf('call'), untilMs),
        ports.shared?.pause(keyOf('search'), untilMs),
        ports.pauses.pause(ports.tenantId, ports.sourceId, untilMs, reason),
      ]);
    },
  };
};
