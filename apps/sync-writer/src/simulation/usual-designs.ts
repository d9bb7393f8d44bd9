import type { ExternalId } from '@counterpart/sync-model';
import { Chance } from './chance.js';
import { FaultCount, noFaults, type FaultRates } from './faults.js';
import { SimCrm } from './sim-crm.js';
import { AnswerLost, SimProcess, type ProcessWorld } from './sim-process.js';
import { VirtualTime } from './virtual-time.js';

/**
 * Three designs that are often seen, as workers of a few lines, in the same worlds: one new person
 * or a few, named by several events at once, at a CRM that enforces nothing. They are here to show
 * that these worlds are hard, and that the count of records can find a fault.
 */
export const usualDesigns = ['check-then-create', 'advisory-lock', 'redis-claim'] as const;
export type UsualDesign = (typeof usualDesigns)[number];

/** How long a Redis claim lasts: longer than any request is waited for. */
const claimMs = 30_000;
const stormMs = 180_000;
/** A job that nobody has ended by then is given to somebody else. */
const visibilityMs = 60_000;
const againMs = 2_000;

/** What a design keeps between its calls. */
class Shared {
  readonly mapped = new Map<string, ExternalId>();
  readonly locks = new Map<string, { owner: object; process: object; untilMs: number }>();
  readonly todo: { readonly email: string; readonly turn: number; takenUntilMs: number }[] = [];
}

/** Runs one world of a design; answers how many people ended with other than one record. */
export const runUsualDesign = async (
  design: UsualDesign,
  seed: number,
  rates: FaultRates,
): Promise<number> => {
  const time = new VirtualTime(0);
  const chance = new Chance(seed);
  const world: ProcessWorld = {
    time,
    chance,
    faults: new FaultCount(),
    rates: () => (time.nowMs() < stormMs ? rates : noFaults),
  };
  const crm = new SimCrm(
    {
      unique: {},
      hasMarker: false,
      indexLagMs: chance.whole(0, 3_000),
      requestDeadlineMs: 10_000,
      longestRunMs: 40_000,
    },
    world,
    () => undefined,
  );
  const shared = new Shared();
  const people = Array.from({ length: chance.whole(1, 4) }, (_, n) => `p${String(n)}@x.example`);
  let toCome = 0;
  for (const email of people)
    for (let turn = chance.whole(2, 4); turn > 0; turn -= 1) {
      toCome += 1;
      time.after(chance.between(0, 600), () => {
        toCome -= 1;
        shared.todo.push({ email, turn, takenUntilMs: 0 });
      });
    }
  for (let n = 0; n < 2; n += 1)
    new SimProcess(world, (process) => startWorker(design, process, crm, shared, time));
  await time.run(() => toCome === 0 && shared.todo.length === 0, 3_600_000);
  return people.filter(
    (email) =>
      [...crm.records.values()].filter(({ fields }) => fields['email'] === email).length !== 1,
  ).length;
};

const startWorker = (
  design: UsualDesign,
  process: SimProcess,
  crm: SimCrm,
  shared: Shared,
  time: VirtualTime,
): void => {
  // What dies with a process: the sessions that hold its advisory locks.
  for (const [key, lock] of shared.locks)
    if (lock.process === process && lock.untilMs === Infinity) shared.locks.delete(key);
  const adapter = process.port(crm.adapter, 'crm');
  const handle = async (email: string): Promise<boolean> => {
    const store = process.port(storeOf(shared, time, process), 'store');
    const until = design === 'advisory-lock' ? Infinity : time.nowMs() + claimMs;
    if (design !== 'check-then-create' && !(await store.lock(email, until))) return false;
    try {
      if ((await store.mappedTo(email)) !== undefined) return true;
      const [found] = await adapter.find('contact', [{ marker: email, fields: { email } }]);
      if (found?.kind === 'found') return await store.map(email, found.record.externalId, design);
      if (found?.kind !== 'absent') return false;
      const [made] = await adapter.create('contact', [{ marker: email, fields: { email } }]);
      return made?.kind === 'confirmed' && (await store.map(email, made.externalId, design));
    } finally {
      if (design !== 'check-then-create') await store.unlock(email);
    }
  };
  const loop = async (): Promise<void> => {
    for (;;) {
      await process.sleep(100);
      const job = shared.todo.find(({ takenUntilMs }) => takenUntilMs <= time.nowMs());
      if (job === undefined) continue;
      job.takenUntilMs = time.nowMs() + visibilityMs;
      void handle(job.email).then(
        (isDone) => {
          const at = shared.todo.indexOf(job);
          if (isDone && at >= 0) shared.todo.splice(at, 1);
          job.takenUntilMs = time.nowMs() + againMs;
        },
        (error: unknown) => {
          if (!(error instanceof AnswerLost)) throw error;
          job.takenUntilMs = time.nowMs() + againMs;
        },
      );
    }
  };
  void loop();
};

/** As one attempt sees it: two attempts of one process exclude each other, too. */
const storeOf = (shared: Shared, time: VirtualTime, process: object) => {
  const me = {};
  return {
    lock(key: string, untilMs: number): Promise<boolean> {
      const held = shared.locks.get(key);
      if (held !== undefined && held.untilMs > time.nowMs() && held.owner !== me)
        return Promise.resolve(false);
      shared.locks.set(key, { owner: me, process, untilMs });
      return Promise.resolve(true);
    },
    unlock(key: string): Promise<void> {
      if (shared.locks.get(key)?.owner === me) shared.locks.delete(key);
      return Promise.resolve();
    },
    mappedTo: (key: string) => Promise.resolve(shared.mapped.get(key)),
    /** The fence at the commit: who lost the claim meanwhile must not commit. */
    map(key: string, id: ExternalId, design: UsualDesign): Promise<boolean> {
      const isMine = shared.locks.get(key)?.owner === me;
      if (design === 'redis-claim' && !isMine) return Promise.resolve(false);
      if (!shared.mapped.has(key)) shared.mapped.set(key, id);
      return Promise.resolve(true);
    },
  };
};
