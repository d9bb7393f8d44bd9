import type { SourceEvent } from '@counterpart/sync-model';
import { sourcePlanOf, type SyncPlan } from '@counterpart/sync-plan';
import { endAtTargets, type ItemEnding } from '../domain/end-item.js';
import type { Operation } from '../domain/operation.js';
import { settleWrite, type WriteEnding } from '../domain/settle-write.js';
import { needKey, type Need, type WorkItem } from '../domain/work.js';
import { worldOf, type SettlePorts } from './settle-ports.js';
import { writeGroups } from './write-groups.js';

/**
 * What the reconciler found of operations whose outcome was unknown. The finding is committed under
 * the claim that still guards the operation. A finding speaks of one statement only: when the
 * operation is settled, being tried again or named unknown anew, there is a later one to look for,
 * and what was found of the earlier changes nothing. An "absent" that arrives twice would otherwise
 * release the claim of the retry's own request.
 *
 * The entity may have moved on while the outcome was unknown, and the event that moved it need not
 * wait any more. So its record is planned anew here: a write that was never done is made if it is
 * still wanted, and one that came true late is followed by what is meant now. A claim that is taken
 * again is not waited for: its holder plans from what is meant now, too, and what is found of that
 * attempt comes by this very lane.
 */
export const settleReadbacks = async (
  items: readonly WorkItem[],
  plan: SyncPlan,
  ports: SettlePorts,
): Promise<ReadonlyMap<WorkItem, ItemEnding>> => {
  const endings = new Map<WorkItem, ItemEnding>();
  const settled = new Map<WorkItem, Need>();
  for (const item of items) {
    const one = await settleOne(item, plan, ports);
    if (one.kind === 'ended') endings.set(item, one.ending);
    else settled.set(item, needAfter(one.operation));
  }
  const outcomes = await writeGroups([...settled.values()], plan, ports);
  for (const [item, need] of settled) {
    const main = outcomes.get(needKey(need));
    if (main === undefined) continue;
    if (main.kind === 'wait') {
      endings.set(item, { kind: 'settled', messages: [] });
      continue;
    }
    const { target, entityId } = need;
    // The operations tell for themselves.
    const told = { target, entityId, main, mentioned: [], associations: null, isTold: true };
    endings.set(item, endAtTargets(item, [told], false, worldOf(ports)));
  }
  return endings;
};

/** The operation may be named unknown once more while its finding is committed: look again. */
const attemptsMax = 5;
const againMs = 250;

type One =
  | { readonly kind: 'settled'; readonly operation: Operation }
  | { readonly kind: 'ended'; readonly ending: ItemEnding };

const settleOne = async (item: WorkItem, plan: SyncPlan, ports: SettlePorts): Promise<One> => {
  const { event } = item.operation;
  const nothing: One = { kind: 'ended', ending: { kind: 'settled', messages: [] } };
  if (event.readback === null) return nothing;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const stated = await ports.writes.statedOperation(event.tenantId, event.readback);
    if (stated === null) return nothing;
    const { operation, open } = stated;
    if (open === null) return isUnderWay(operation) ? nothing : { kind: 'settled', operation };
    const provider = sourcePlanOf(plan, event.sourceId)?.provider ?? event.provider;
    const world = { nowMs: ports.clock.nowMs(), request: open.request, provider };
    const { settlement } = settleWrite({ ...open, operation }, findingOf(event), world);
    const { refused } = await ports.writes.settle([settlement]);
    if (refused.get(open.token) !== 'overtaken') return { kind: 'settled', operation };
  }
  const dueAtMs = ports.clock.nowMs() + againMs;
  return { kind: 'ended', ending: { kind: 'deferred', dueAtMs, waitingOn: null, counts: false } };
};

/** Whoever is at it plans from what is meant now. */
const isUnderWay = ({ state }: Operation): boolean =>
  state === 'planned' || state === 'attempting' || state === 'unknown';

const findingOf = ({ readback }: SourceEvent): WriteEnding => {
  if (readback?.verdict === 'found' && readback.externalId !== null)
    return {
      kind: 'read-back',
      record: { externalId: readback.externalId, stored: readback.stored, versionToken: null },
    };
  return readback?.verdict === 'ambiguous' ? { kind: 'ambiguous' } : { kind: 'not-done' };
};

/** The operation's own wish, asked once more. */
const needAfter = (operation: Operation): Need => ({
  tenantId: operation.tenantId,
  target: operation.sourceId,
  recordType: operation.recordType,
  entityId: operation.entityId,
  eventKey: operation.eventKey,
  originSourceId: operation.originSourceId,
  main: true,
  traceparent: operation.traceparent,
});
