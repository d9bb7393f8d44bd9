import { pause } from '../adapters/pause.js';
import type { CheckRow } from '../domain/verdict.js';
import { infraOrders, serviceOrders } from '../format/steps.js';
import type { Check } from '../format/checks.js';
import type { ServiceStep, Step, WaitStep } from '../format/steps.js';
import { applyPlan } from './apply-plan.js';
import { actAsHuman, addAutomation, addFault, behave, steerWebhooks } from './crm-steps.js';
import { describeStep } from './describe-step.js';
import { evaluate } from './evaluate.js';
import { push } from './push.js';
import { waitUntilSettled } from './settled.js';
import { laidOver } from '../domain/placeholders.js';
import { concerned, portalOf, valuesOf } from './world.js';
import type { TenantWorld, World } from './world.js';

/** Rows of what a step itself expects; a row that is not ok ends the story. */
type Rows = readonly CheckRow[];
const nothing: Rows = [];

export interface StepOptions {
  readonly knownProviders: readonly string[];
}

/** Does one step and waits until it is done. */
export async function runStep(world: World, step: Step, options: StepOptions): Promise<Rows> {
  const line = describeStep(step);
  if (line !== undefined) world.say(line);
  if (step.parallel) return inParallel(world, step.parallel, options);
  if (step.sequence) return runSteps(world, step.sequence, options);
  if (step.service) return steerService(world, step.service);
  if (step.infra) return steerInfra(world, step);
  if (step.wait) return wait(world, step.wait === 'settled' ? { settled: true } : step.wait);
  if (step.mark !== undefined) return setMark(world, step.mark);
  return forTenants(world, step, options);
}

/** One after another; stops at the first step that is not as it should be. */
export async function runSteps(
  world: World,
  steps: readonly Step[],
  options: StepOptions,
): Promise<Rows> {
  const rows: CheckRow[] = [];
  for (const step of steps) {
    rows.push(...(await runStep(world, step, options)));
    if (rows.some(({ ok }) => !ok)) break;
  }
  return rows;
}

async function inParallel(
  world: World,
  steps: readonly Step[],
  options: StepOptions,
): Promise<Rows> {
  const rows = await Promise.all(steps.map((step) => runStep(world, step, options)));
  return rows.flat();
}

async function forTenants(world: World, step: Step, options: StepOptions): Promise<Rows> {
  const tenants = concerned(world, whereOf(step));
  const rows = await Promise.all(tenants.map((tenant) => act(world, tenant, step, options)));
  return rows.flat();
}

const whereOf = (step: Step): { readonly tenant?: string } =>
  step.push ??
  step.human ??
  step.automation ??
  step.behaviour ??
  step.fault ??
  step.clearFaults ??
  step.releaseAnswers ??
  step.webhooks ??
  step.plan ??
  {};

async function act(
  world: World,
  tenant: TenantWorld,
  step: Step,
  options: StepOptions,
): Promise<Rows> {
  if (step.push) return push(world, tenant, step.push);
  if (step.human) await actAsHuman(world, tenant, step.human);
  if (step.automation) await addAutomation(world, tenant, step.automation);
  if (step.behaviour) await behave(world, tenant, step.behaviour);
  if (step.fault) await addFault(world, tenant, step.fault);
  if (step.clearFaults) await portalOf(tenant, step.clearFaults.source).clearFaults();
  if (step.releaseAnswers) await portalOf(tenant, step.releaseAnswers.source).releaseAnswers();
  if (step.webhooks) await steerWebhooks(tenant, step.webhooks);
  if (step.plan) {
    tenant.plan = laidOver(tenant.plan, step.plan.change);
    const { deadlineAtMs } = world;
    const { knownProviders } = options;
    await applyPlan(world.env, world.bus, tenant.plan, valuesOf(world, tenant), {
      knownProviders,
      deadlineAtMs,
    });
  }
  return nothing;
}

async function steerService(world: World, step: ServiceStep): Promise<Rows> {
  const { at, withinMs } = step;
  const rows = at ? await waitUntil(world, at, withinMs) : nothing;
  if (rows.length > 0) return rows;
  for (const order of serviceOrders) {
    const name = step[order];
    if (name !== undefined) await world.control.service(order, name);
  }
  return nothing;
}

async function steerInfra(world: World, step: Step): Promise<Rows> {
  for (const order of infraOrders) {
    const name = step.infra?.[order];
    if (name !== undefined) await world.control.infra(order, name);
  }
  if (step.infra?.flush) await world.control.flushRedis();
  return nothing;
}

async function wait(world: World, step: WaitStep): Promise<Rows> {
  const { forMs, until, withinMs } = step;
  if (forMs !== undefined) await pause(forMs);
  if (until) return waitUntil(world, until, withinMs);
  if (step.settled !== true) return nothing;
  const { settled, busy } = await waitUntilSettled(
    world,
    world.tenants,
    deadlineOf(world, withinMs),
  );
  if (settled) return nothing;
  return [{ name: 'settled', expected: 'nothing pending', measured: busy.join(', '), ok: false }];
}

const deadlineOf = (world: World, withinMs: number | undefined): number =>
  Math.min(world.deadlineAtMs, withinMs === undefined ? Infinity : Date.now() + withinMs);

const lookEveryMs = 50;

/** Rows of the check when it did not come true in time; none when it did. */
async function waitUntil(world: World, check: Check, withinMs?: number): Promise<Rows> {
  const deadlineAtMs = deadlineOf(world, withinMs);
  for (;;) {
    const rows = await evaluate(world, check);
    const broken = rows.filter(({ ok }) => !ok);
    if (broken.length === 0) return nothing;
    if (Date.now() >= deadlineAtMs)
      return broken.map((row) => ({ ...row, name: `waited for: ${row.name}` }));
    await pause(lookEveryMs);
  }
}

async function setMark(world: World, name: string): Promise<Rows> {
  for (const tenant of world.tenants) {
    const callNumbers: Record<string, number> = {};
    for (const [source, portal] of tenant.portals) callNumbers[source] = await portal.callCount();
    const position = world.bus.position();
    tenant.marks.set(name, { atMs: Date.now(), callNumbers, position });
  }
  return nothing;
}
