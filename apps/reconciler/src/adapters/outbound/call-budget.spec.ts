import { createLocalLimiter } from '@counterpart/platform-redis';
import { asSourceId, asTenantId } from '@counterpart/sync-model';
import type { QuotaPlan } from '@counterpart/sync-plan';
import { createCallBudget } from './call-budget.js';

const quota: QuotaPlan = {
  perSecond: null,
  perTenSeconds: 100,
  searchPerSecond: 5,
  concurrency: 8,
  reserve: 0.1,
};
const world = (share: number) => {
  const clock = { nowMs: () => made.nowMs, monotonicMs: () => made.nowMs };
  const limiter = createLocalLimiter(clock);
  const budgetOf = (source: string, change: Partial<QuotaPlan> = {}) =>
    createCallBudget({
      tenantId: asTenantId('acme'),
      sourceId: asSourceId(source),
      quota: { ...quota, ...change },
      limiter,
      clock,
      share,
    });
  const made = { nowMs: 1_000, budgetOf };
  return made;
};
async function granted(budget: ReturnType<typeof createCallBudget>, scope: 'call' | 'search') {
  let count = 0;
  while (count < 1_000 && (await budget.take(scope)).ok) count += 1;
  return count;
}

test('only a share of what the reserve leaves is spent, and at least one call', async () => {
  const { budgetOf } = world(0.1);
  expect(await granted(budgetOf('crm'), 'call')).toBe(9);
  expect(await granted(budgetOf('crm'), 'search')).toBe(1);
  expect(await granted(budgetOf('small', { perTenSeconds: 1 }), 'call')).toBe(1);
});

test('a window that the provider has counts too', async () => {
  const { budgetOf } = world(1);
  expect(await granted(budgetOf('crm', { perSecond: 10 }), 'call')).toBe(9);
});

test('a pause stops calls and searches of that source only, until its time', async () => {
  const made = world(1);
  const [paused, other] = [made.budgetOf('crm'), made.budgetOf('other')];
  await paused.pause(4_000, 'rate-limit');
  expect(await paused.take('call')).toEqual({ ok: false, retryAtMs: 4_000 });
  expect(await paused.take('search')).toEqual({ ok: false, retryAtMs: 4_000 });
  expect(await other.take('call')).toEqual({ ok: true });
  made.nowMs = 4_000;
  expect(await paused.take('call')).toEqual({ ok: true });
});
