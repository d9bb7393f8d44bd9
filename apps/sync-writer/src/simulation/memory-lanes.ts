import type { TenantId } from '@counterpart/sync-model';
import type { HeldLane, LaneEnding, LaneStore } from '../application/ports.js';
import type { WorkItem } from '../domain/work.js';
import type { LaneRow, MemoryTables } from './memory-tables.js';

/** The lane store over tables in memory; the states are told in `adapters/outbound/lane-store.ts`. */
export const memoryLanes = (
  tables: MemoryTables,
  world: {
    readonly nowMs: () => number;
    readonly tenantId: TenantId;
    readonly owner: string;
    readonly leaseMs: number;
    /** False: the seeded bug of a lane without a fence. */
    readonly hasEpochs: boolean;
  },
): LaneStore => ({
  take({ limit, busy }) {
    if (busy.includes(world.tenantId)) return Promise.resolve([]);
    const nowMs = world.nowMs();
    const due = [...tables.lanes.values()]
      .filter(({ isOpen, dueAtMs }) => isOpen && dueAtMs <= nowMs)
      .sort((a, b) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit);
    return Promise.resolve(
      due.flatMap((lane) => {
        lane.owner = world.owner;
        lane.epoch += 1;
        lane.dueAtMs = nowMs + world.leaseMs;
        lane.waitingOn = null;
        return headOf(lane, world.tenantId);
      }),
    );
  },
  finish(endings) {
    for (const ending of endings) {
      const lane = held(tables, ending, world.hasEpochs);
      if (lane !== undefined) end(lane, ending, tables, world.nowMs());
    }
    return Promise.resolve();
  },
  renew(lanes) {
    for (const one of lanes) {
      const lane = held(tables, one, world.hasEpochs);
      if (lane?.owner) lane.dueAtMs = world.nowMs() + world.leaseMs;
    }
    return Promise.resolve();
  },
});

const held = (
  tables: MemoryTables,
  { laneId, epoch }: HeldLane,
  hasEpochs: boolean,
): LaneRow | undefined => {
  const lane = tables.lanes.get(laneId);
  return lane !== undefined && (String(lane.epoch) === epoch || !hasEpochs) ? lane : undefined;
};

const headOf = (lane: LaneRow, tenantId: TenantId): readonly WorkItem[] => {
  const head = lane.inbox.find(({ settled }) => !settled);
  return head === undefined
    ? []
    : [
        {
          tenantId,
          laneId: lane.laneId,
          epoch: String(lane.epoch),
          seq: String(head.seq),
          attempts: lane.attempts,
          firstFailedAtMs: lane.firstFailedAtMs,
          operation: head.operation,
          traceparent: null,
        },
      ];
};

const end = (lane: LaneRow, ending: LaneEnding, tables: MemoryTables, nowMs: number): void => {
  lane.owner = null;
  if (ending.kind === 'settled') {
    for (const item of lane.inbox) if (String(item.seq) === ending.seq) item.settled = true;
    lane.isOpen = lane.inbox.some(({ settled }) => !settled);
    lane.attempts = 0;
    lane.firstFailedAtMs = null;
    lane.dueAtMs = nowMs;
    tables.outbox.push(...ending.messages);
    return;
  }
  const isHeld = ending.waitingOn !== null && tables.claims.has(ending.waitingOn);
  lane.waitingOn = ending.waitingOn;
  lane.dueAtMs = ending.waitingOn === null || isHeld ? ending.dueAtMs : nowMs;
  if (!ending.counts) return;
  lane.attempts += 1;
  lane.firstFailedAtMs ??= nowMs;
};
