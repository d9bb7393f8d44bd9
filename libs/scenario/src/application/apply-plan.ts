import { asTenantId } from '@counterpart/sync-model';
import { parseSyncPlan } from '@counterpart/sync-plan';
import { planVersion, serviceNames } from '../adapters/operator-api.js';
import { poll } from '../adapters/pause.js';
import { fill } from '../domain/placeholders.js';
import type { PlaceholderValues } from '../domain/placeholders.js';
import type { JsonObject } from '../format/json.js';
import type { Bus, StackEnv } from './ports.js';
import { ScenarioFault } from './world.js';

/** Versions are moments in ms; two plans of one tenant within one ms must still differ. */
let lastVersion = 0;
const nextVersion = (): number => (lastVersion = Math.max(Date.now(), lastVersion + 1));

/**
 * Publishes a plan as `counterpart apply` does and waits until all four services work by it.
 * Throws ScenarioFault when the plan is not valid or a service does not take it in time.
 */
export async function applyPlan(
  env: StackEnv,
  bus: Bus,
  plan: JsonObject,
  values: PlaceholderValues,
  options: { readonly knownProviders: readonly string[]; readonly deadlineAtMs: number },
): Promise<void> {
  const parsed = parseSyncPlan(JSON.stringify(fill(plan, values), undefined, 1), {
    knownProviders: options.knownProviders,
    allowPrivateAddresses: true,
  });
  if (!parsed.ok) {
    const faults = parsed.faults.map(({ path, message }) => `${path}: ${message}`);
    throw new ScenarioFault(`the plan is not valid: ${faults.join('; ')}`);
  }
  const version = nextVersion();
  await bus.publishPlan({
    tenantId: asTenantId(values.tenant),
    version,
    planJson: parsed.planJson,
    publishedAtMs: Date.now(),
  });
  await awaitVersion(env, values.tenant, version, options.deadlineAtMs);
}

async function awaitVersion(
  env: StackEnv,
  tenantId: string,
  version: number,
  deadlineAtMs: number,
): Promise<void> {
  let waiting: readonly string[] = serviceNames;
  const taken = await poll(async () => {
    const versions = await Promise.all(
      serviceNames.map((service) => planVersion(env.services, service, tenantId)),
    );
    waiting = serviceNames.filter((_, at) => (versions[at] ?? 0) < version);
    return waiting.length === 0 ? true : undefined;
  }, deadlineAtMs);
  if (!taken) throw new ScenarioFault(`the plan was not taken up by: ${waiting.join(', ')}`);
}
