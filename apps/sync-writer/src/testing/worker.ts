import { randomUUID } from 'node:crypto';
import type { Db } from '@counterpart/platform-postgres';
import type { Clock, Random } from '@counterpart/sync-model';
import { LaneRunner } from '../application/run-lanes.js';
import { createEdgeStore } from '../adapters/outbound/edge-store.js';
import { createIdentityStore } from '../adapters/outbound/identity-store.js';
import { createLaneStore } from '../adapters/outbound/lane-store.js';
import { createSaveOutgoing } from '../adapters/outbound/save-outgoing.js';
import { createWriteStore } from '../adapters/outbound/write-store.js';
import { headBudget } from '../domain/retry.js';
import { noMetrics, plan } from './builders.js';
import type { MemoryCrm } from './memory-crm.js';

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
export const systemRandom: Random = { fraction: () => Math.random(), uuid: () => randomUUID() };

/** JSON bytes instead of Avro: these specs read the outbox itself. */
const save = createSaveOutgoing((message) => Buffer.from(JSON.stringify(message.value)));

/** The store of claims and operations by itself. */
export const storeOn = (db: Db) =>
  createWriteStore({
    db,
    clock: systemClock,
    random: systemRandom,
    instanceId: 'alone',
    save,
  });

/** The lanes by themselves, as one worker sees them. */
export const laneStoreOn = (db: Db, instanceId: string) =>
  createLaneStore({ db, clock: systemClock, instanceId, leaseMs: 10_000, save });

/** One sync-writer as far as lanes and writes go: real PostgreSQL, a CRM in memory. */
export const workerOn = (
  db: Db,
  crm: MemoryCrm,
  instanceId: string,
  leaseMs = 10_000,
): LaneRunner => {
  const capabilities = crm.adapter.prepare();
  const world = { db, clock: systemClock, random: systemRandom, instanceId, save };
  return new LaneRunner({
    lanes: createLaneStore({ ...world, leaseMs }),
    identity: createIdentityStore(db, save),
    writes: createWriteStore(world),
    edges: createEdgeStore(db),
    sources: {
      planOf: () => Promise.resolve(plan),
      open: async () => {
        const offered = await capabilities;
        if (!(offered instanceof Map)) return { ok: false, code: 'not-prepared', retryAtMs: null };
        const timing = { requestDeadlineMs: 500, crmLongestRunMs: 500, indexLagMs: 1_000 };
        return {
          ok: true,
          provider: 'hubspot',
          adapter: crm.adapter,
          capabilities: offered,
          timing,
        };
      },
    },
    clock: systemClock,
    random: systemRandom,
    budget: headBudget,
    metrics: noMetrics,
    tracing: { pass: (_items, work) => work(), ended: () => undefined },
    onBroken: (error) => {
      throw error;
    },
    isInfrastructure: () => true,
    wakeOthers: () => undefined,
  });
};
