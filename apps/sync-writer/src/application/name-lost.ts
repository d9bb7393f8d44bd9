import { sourcePlanOf } from '@counterpart/sync-plan';
import { settleWrite } from '../domain/settle-write.js';
import type { SettlePorts } from './settle-ports.js';

/** Taken in one go; more are found the next time. */
const lostMax = 100;

/**
 * Names requests unknown whose sender is gone and whose claims nobody meets. A worker died between
 * the request and its answer, and what it wanted to write is not wanted any more: no lane asks for
 * it, so no lane finds the claim. The request may have landed all the same. Named, it is looked for
 * like every other, and its record is then planned anew.
 */
export const nameLost = async ({
  writes,
  sources,
  clock,
  metrics,
}: Pick<SettlePorts, 'writes' | 'sources' | 'clock' | 'metrics'>): Promise<void> => {
  const lost = await writes.takeLost(lostMax);
  if (lost.length === 0) return;
  const settlements = await Promise.all(
    lost.map(async ({ request, ...held }) => {
      const { tenantId, sourceId } = held.operation;
      const plan = await sources.planOf(tenantId);
      const provider = (plan && sourcePlanOf(plan, sourceId)?.provider) ?? '';
      metrics.claimTakenOver('name-unknown');
      return settleWrite(
        { ...held, mapping: null },
        { kind: 'result', result: { kind: 'unknown', code: 'sender-lost' } },
        { nowMs: clock.nowMs(), request, provider },
      ).settlement;
    }),
  );
  await writes.settle(settlements);
};
