import type { CallBudget, CallScope } from '@counterpart/crm-port';
import type { CallLimiter, CallWindow } from '@counterpart/platform-redis';
import type { Clock, SourceId, TenantId } from '@counterpart/sync-model';
import type { QuotaPlan } from '@counterpart/sync-plan';

/** What a limiter that cannot be asked costs. */
const UNAVAILABLE_WAIT_MS = 1_000;

/**
 * A source's budget as far as this process may use it: a fixed share of the provider's windows,
 * counted here and not shared, and the pauses this process was told of. Windows are never below one
 * call, so the smallest quota still lets a readback through.
 */
export const createCallBudget = (ports: {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly quota: QuotaPlan;
  readonly limiter: CallLimiter;
  readonly clock: Clock;
  /** Above 0, at most 1. */
  readonly share: number;
}): CallBudget => {
  const { tenantId, sourceId, limiter, clock } = ports;
  const keyOf = (scope: CallScope): string => `${tenantId}/${sourceId}/${scope}`;
  return {
    async take(scope) {
      const grant = await limiter.take({
        key: keyOf(scope),
        windows: sharedWindows(ports.quota, scope, ports.share),
      });
      if (grant.kind === 'ok') return { ok: true };
      const retryAtMs =
        grant.kind === 'wait' ? grant.retryAtMs : clock.nowMs() + UNAVAILABLE_WAIT_MS;
      return { ok: false, retryAtMs };
    },
    async pause(untilMs) {
      await limiter.pause(keyOf('call'), untilMs);
      await limiter.pause(keyOf('search'), untilMs);
    },
  };
};

function sharedWindows(quota: QuotaPlan, scope: CallScope, share: number): readonly CallWindow[] {
  const portion = (calls: number): number =>
    Math.max(1, Math.floor(calls * (1 - quota.reserve) * share));
  if (scope === 'search') return [{ ms: 1_000, calls: portion(quota.searchPerSecond) }];
  const tenSeconds = { ms: 10_000, calls: portion(quota.perTenSeconds) };
  return quota.perSecond === null
    ? [tenSeconds]
    : [tenSeconds, { ms: 1_000, calls: portion(quota.perSecond) }];
}
