import { readdirSync } from 'node:fs';
import type { Scenario } from '../format/scenario.js';
import { PretendStack } from '../testing/pretend-stack.js';
import { runAll } from './run-all.js';
import { runScenario } from './run-scenario.js';
import type { ScenarioResult } from './run-scenario.js';

const push = {
  push: {
    changes: [{ action: 'create', type: 'contact', recordId: 'c-1', fields: {} }],
    deliveries: 1,
  },
};
const story = (more: Partial<Scenario>): Scenario => ({
  name: 'A story',
  steps: [push, { wait: 'settled' }],
  then: [{ records: { type: 'contacts', count: 1 } }],
  ...more,
});

async function played(
  scenario: Scenario,
  stack = new PretendStack(),
): Promise<{ result: ScenarioResult; stack: PretendStack; lines: readonly string[] }> {
  const env = await stack.start();
  const lines: string[] = [];
  const { bus, control } = stack;
  const result = await runScenario(scenario, {
    file: 'x.yaml',
    run: 'r1',
    seed: 1,
    env,
    bus,
    control,
    knownProviders: ['app', 'hubspot'],
    integrations: {},
    say: (line) => lines.push(line),
  });
  await stack.stop();
  return { result, stack, lines };
}

test('a story that ends well: settled is waited for, everything is checked, nothing is left', async () => {
  const { result, stack, lines } = await played(story({}));
  expect(result.rows).toEqual([
    { name: 'records', expected: '1 contact', measured: '1 contact', ok: true },
    { name: 'standing invariants', expected: '5 hold', measured: '5 hold', ok: true },
  ]);
  expect(result.ok).toBe(true);
  expect(lines).toEqual(['the app pushes 1 contact change', 'waiting until everything is settled']);
  expect(stack.orders).toEqual(['DELETE /_sim/portals/7']);
  expect(readdirSync(stack.secretsDir)).toEqual([]);
});

test('a copy breaks both the check and the standing invariant', async () => {
  const { result } = await played(story({}), new PretendStack({ copies: 2 }));
  expect(result.ok).toBe(false);
  expect(result.rows).toEqual([
    { name: 'records', expected: '1 contact', measured: '2 contacts', ok: false },
    {
      name: 'always: one-record-per-match-key',
      expected: '0 doubles',
      measured: '1: contacts email ada@example.com: 1, 2',
      ok: false,
    },
  ]);
});

test('who does not come to rest is named, and the story ends there', async () => {
  const stack = new PretendStack({ workMs: 60_000 });
  const { result } = await played(story({ deadlineMs: 1_000 }), stack);
  expect(result.rows).toEqual([
    {
      name: 'settled',
      expected: 'nothing pending',
      measured: 'ingest 1, dedupe 1, sync-writer 1, reconciler 1',
      ok: false,
    },
  ]);
});

test('a wait that is not fulfilled in time says what it saw', async () => {
  const until = { records: { type: 'contacts', count: 5 } };
  const { result } = await played(story({ steps: [push, { wait: { until, withinMs: 400 } }] }));
  expect(result.rows).toEqual([
    { name: 'waited for: records', expected: '5 contacts', measured: '1 contact', ok: false },
  ]);
});

test('a plan that is not valid is a row, not a crash', async () => {
  const plan = { change: { sources: { crm: { provider: 'abacus' } } } };
  const { result } = await played(story({ given: { plan } }));
  expect(result.rows[0]).toMatchObject({ name: 'the story', ok: false });
  expect(result.rows[0]?.measured).toMatch(/^the plan is not valid: sources\.crm\.provider/);
});

test('a story of two tenants checks both, by name', async () => {
  const tenants = { north: {}, south: {} };
  const { result } = await played(
    story({ given: { tenants }, then: [{ answers: { status: 202, count: 1 } }] }),
  );
  expect(result.rows.map(({ name }) => name).slice(0, 2)).toEqual([
    'answers (north)',
    'answers (south)',
  ]);
});

test('exclusive stories come last, alone, and heal what they took down', async () => {
  const stack = new PretendStack();
  const env = await stack.start();
  const { bus, control } = stack;
  const alone = story({
    name: 'Alone',
    exclusive: true,
    steps: [{ service: { kill: 'dedupe' } }],
    then: [],
  });
  const loaded = [alone, story({ then: [] })].map((scenario, at) => ({
    file: `${at}.yaml`,
    scenario,
  }));
  const done: string[] = [];
  const results = await runAll(loaded, {
    env,
    bus,
    control,
    seed: 1,
    concurrency: 2,
    knownProviders: ['app', 'hubspot'],
    onDone: (_, { file }) => done.push(file),
  });
  await stack.stop();
  expect(done).toEqual(['1.yaml', '0.yaml']);
  expect(results.map(({ file, ok }) => [file, ok])).toEqual([
    ['0.yaml', true],
    ['1.yaml', true],
  ]);
  expect(stack.orders.filter((order) => !order.startsWith('DELETE'))).toEqual([
    'kill dedupe',
    'heal',
  ]);
});
