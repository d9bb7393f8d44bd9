import type { Clock, SourceEvent } from '@counterpart/sync-model';
import { sourcePlanOf, type SyncPlan } from '@counterpart/sync-plan';
import type { ItemEnding } from '../domain/end-item.js';
import { settleWrite, type WriteEnding } from '../domain/settle-write.js';
import type { WorkItem } from '../domain/work.js';
import type { WriteStore } from './ports.js';

/**
 * What the reconciler found of operations whose outcome was unknown. The finding is committed under
 * the claim that still guards the operation. A finding speaks of one statement only: when the operation
 * is settled, being tried again or named unknown anew, there is a later one to look for, and what was
 * found of the earlier changes nothing. An "absent" that arrives twice would otherwise release the
 * claim of the retry's own request.
 */
export const settleReadbacks = async (
  items: readonly WorkItem[],
  plan: SyncPlan,
  ports: { readonly writes: WriteStore; readonly clock: Clock },
): Promise<ReadonlyMap<WorkItem, ItemEnding>> => {
  const endings = new Map<WorkItem, ItemEnding>();
  for (const item of items) endings.set(item, await settleOne(item, plan, ports));
  return endings;
};

/** The operation may be named unknown once more while its finding is committed: look again. */
const attemptsMax = 5;
const againMs = 250;

/** The operation's own result tells; the finding needs none. */
const done: ItemEnding = { kind: 'settled', messages: [] };

const settleOne = async (
  item: WorkItem,
  plan: SyncPlan,
  ports: { readonly writes: WriteStore; readonly clock: Clock },
): Promise<ItemEnding> => {
  const { event } = item.operation;
  if (event.readback === null) return done;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const open = await ports.writes.unknownOperation(event.tenantId, event.readback);
    // Settled already, or named anew: there is nothing left to say.
    if (open === null) return done;
    const nowMs = ports.clock.nowMs();
    const provider = sourcePlanOf(plan, event.sourceId)?.provider ?? event.provider;
    const world = { nowMs, request: open.request, provider };
    const { settlement } = settleWrite(open, findingOf(event), world);
    const { refused } = await ports.writes.settle([settlement]);
    if (refused.get(open.token) !== 'overtaken') return done;
  }
  const dueAtMs = ports.clock.nowMs() + againMs;
  return { kind: 'deferred', dueAtMs, waitingOn: null, counts: false };
};

const findingOf = ({ readback }: SourceEvent): WriteEnding => {
  if (readback?.verdict === 'found' && readback.externalId !== null)
    return {
      kind: 'read-back',
      record: { externalId: readback.externalId, stored: readback.stored, versionToken: null },
    };
  return readback?.verdict === 'ambiguous' ? { kind: 'ambiguous' } : { kind: 'not-done' };
};
