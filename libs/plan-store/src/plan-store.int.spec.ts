import { asTenantId, type RegistryEntry } from '@counterpart/sync-model';
import { parseSyncPlan } from '@counterpart/sync-plan';
import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { createPlanStore, type PlanStore } from './plan-store.js';

const planJsonOf = (tenant: string): string => {
  const parsed = parseSyncPlan(
    `
apiVersion: counterpart/v1
tenant: ${tenant}
records: { contact: { fields: { email: { type: email, owner: app } } } }
sources: { app: { provider: app, signing: { secrets: ["file:${tenant}/app"] }, records: { contact: {} } } }
`,
    { knownProviders: ['app'], allowPrivateAddresses: false },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.planJson;
};
const entry = (tenant: string, version: number, planJson = planJsonOf(tenant)): RegistryEntry => ({
  tenantId: asTenantId(tenant),
  version,
  planJson,
  publishedAtMs: version,
});
const acme = asTenantId('acme');

let scratch: ScratchDatabase;
/** Monotonic time of the stores, in ms: a second goes by when a test says so. */
let nowMs = 0;
const stale: unknown[] = [];
const open = (): PlanStore =>
  createPlanStore({
    db: scratch.db,
    schema: 'ingest',
    clock: { monotonicMs: () => nowMs },
    onStale: (error) => stale.push(error),
  });
const versionIn = async (store: PlanStore) => (await store.planOf(acme))?.version ?? null;

beforeAll(async () => {
  scratch = await scratchDatabase('ingest');
}, 60_000);
afterAll(() => scratch?.drop());
beforeEach(() => scratch.owner.query('truncate ingest.sync_plans'));

test('the newest version of a tenant is kept, in whatever order and however often it comes', async () => {
  const store = open();
  await store.apply([entry('acme', 2), entry('acme', 3), entry('other', 1), entry('acme', 1)]);
  await store.apply([entry('acme', 2)]);
  await store.apply([entry('acme', 3)]);
  expect(await versionIn(store)).toBe(3);
  expect((await store.all()).map(({ plan }) => plan.tenantId)).toEqual(['other', 'acme']);
});

test('another pod sees a plan within a second, and asks the database once in that time for versions only', async () => {
  const [here, there] = [open(), open()];
  expect(await versionIn(there)).toBeNull();
  await here.apply([entry('acme', 1)]);
  nowMs += 999;
  expect(await versionIn(there)).toBeNull();
  nowMs += 1;
  expect(await Promise.all([versionIn(there), versionIn(there)])).toEqual([1, 1]);
  nowMs += 1_000;
  const asked = jest.spyOn(scratch.db, 'query');
  await Promise.all([versionIn(there), versionIn(there), there.all()]);
  await there.all();
  expect(asked.mock.calls.map(([sql]) => sql.includes('plan::text'))).toEqual([false]);
  asked.mockRestore();
});

test('the list stays the same array until a plan changes', async () => {
  const store = open();
  await store.apply([entry('acme', 1)]);
  const before = await store.all();
  nowMs += 1_000;
  expect(await store.all()).toBe(before);
  await store.apply([entry('acme', 2)]);
  expect(await store.all()).not.toBe(before);
});

test('a removed tenant has no plan; an older removal removes nothing', async () => {
  const store = open();
  await store.apply([entry('acme', 5), entry('other', 5)]);
  await store.apply([entry('acme', 6, ''), entry('other', 4, '')]);
  expect((await store.all()).map(({ plan }) => plan.tenantId)).toEqual(['other']);
});

test('a plan this version cannot read is no plan, and the others are in force', async () => {
  const store = open();
  await store.apply([entry('acme', 1, '{"apiVersion":"counterpart/v9"}'), entry('other', 1)]);
  expect((await store.all()).map(({ plan }) => plan.tenantId)).toEqual(['other']);
});

test('while the database is away the plans read last stay in force; without any, that is a fault', async () => {
  const store = open();
  await store.apply([entry('acme', 1)]);
  expect(await versionIn(store)).toBe(1);
  const away = jest.spyOn(scratch.db, 'query').mockRejectedValue(new Error('away'));
  nowMs += 1_000;
  expect(await versionIn(store)).toBe(1);
  expect(stale).toHaveLength(1);
  await expect(open().planOf(acme)).rejects.toThrow('away');
  away.mockRestore();
});

test('a plan that is stored while the plans are being read is seen after it is applied', async () => {
  const store = open();
  const reading = store.all();
  await store.apply([entry('acme', 1)]);
  await reading;
  expect(await versionIn(store)).toBe(1);
});
