import { readPlan } from '../adapters/read-plan.js';
import { openPortal } from '../adapters/sim-portal.js';
import type { SimPortal } from '../adapters/sim-portal.js';
import { removeSecrets, writeSecrets } from '../adapters/tenant-secrets.js';
import type { TenantSecrets } from '../adapters/tenant-secrets.js';
import { fill, isObject } from '../domain/placeholders.js';
import { seededDice } from '../domain/seeded-random.js';
import { tenantIdFor, tenantsOf } from '../domain/tenants.js';
import type { TenantSpec } from '../domain/tenants.js';
import type { JsonObject } from '../format/json.js';
import type { PortalGiven, Scenario } from '../format/scenario.js';
import { applyPlan } from './apply-plan.js';
import type { Bus, IntegrationFactory, Say, StackControl, StackEnv } from './ports.js';
import { appId, remember, ScenarioFault, valuesOf } from './world.js';
import type { TenantWorld, World } from './world.js';

export interface WorldOptions {
  readonly file: string;
  readonly run: string;
  readonly seed: number;
  readonly env: StackEnv;
  readonly bus: Bus;
  readonly control: StackControl;
  readonly knownProviders: readonly string[];
  readonly integrations: Readonly<Record<string, IntegrationFactory>>;
  readonly say: Say;
}

const deadlineMsDefault = 90_000;

/** Makes tenants and portals, puts given records in place, and applies the plans. */
export async function openWorld(scenario: Scenario, options: WorldOptions): Promise<World> {
  const deadlineAtMs = Date.now() + (scenario.deadlineMs ?? deadlineMsDefault);
  const { run, env, bus, control, say } = options;
  const tenants = await Promise.all(
    tenantsOf(scenario).map((spec, at) => openTenant(scenario, spec, options, options.seed + at)),
  );
  const dice = seededDice(options.seed);
  const world = { scenario, run, dice, env, bus, control, tenants, deadlineAtMs, say };
  await Promise.all(tenants.map((tenant) => publish(world, tenant, options)));
  return world;
}

/** Removes the portals and secrets of a run; what the services keep stays as evidence. */
export async function closeWorld(world: World): Promise<void> {
  for (const tenant of world.tenants) {
    removeSecrets(world.env.secretsDir, tenant.tenantId);
    for (const portal of tenant.portals.values()) await portal.remove();
  }
}

async function publish(world: World, tenant: TenantWorld, options: WorldOptions): Promise<void> {
  if (tenant.integration) return;
  const { knownProviders } = options;
  const { deadlineAtMs } = world;
  await applyPlan(world.env, world.bus, tenant.plan, valuesOf(world, tenant), {
    knownProviders,
    deadlineAtMs,
  });
}

async function openTenant(
  scenario: Scenario,
  spec: TenantSpec,
  options: WorldOptions,
  seed: number,
): Promise<TenantWorld> {
  const tenantId = tenantIdFor(scenario.name, spec.name, options.run);
  const plan = readPlan(spec.given.plan, options.file);
  const sources = crmSourcesOf(plan);
  const secrets = writeSecrets(options.env.secretsDir, tenantId, sources);
  const portals = new Map<string, SimPortal>();
  const tenant: TenantWorld = {
    name: spec.name,
    tenantId,
    secrets,
    portals,
    integration: null,
    plan,
    ids: {},
    marks: new Map(),
    answers: [],
    accepted: [],
    openDeliveries: 0,
    nextId: 0,
    madeByHand: new Map(),
    editedByHand: new Map(),
    automations: new Map(),
  };
  for (const source of sources) {
    const given = spec.given.portals?.[source] ?? {};
    const portal = await makePortal(source, given, secrets, tenantId, options, seed);
    portals.set(source, portal);
    await furnish(source, given, portal, tenant, options.run);
  }
  return { ...tenant, integration: integrationFor(scenario, portals, options) };
}

const crmSourcesOf = (plan: JsonObject): readonly string[] =>
  isObject(plan['sources'])
    ? Object.entries(plan['sources'])
        .filter(([, source]) => isObject(source) && source['provider'] !== 'app')
        .map(([name]) => name)
    : [];

function makePortal(
  source: string,
  given: PortalGiven,
  secrets: TenantSecrets,
  tenantId: string,
  options: WorldOptions,
  seed: number,
): Promise<SimPortal> {
  const { services } = options.env;
  return openPortal(services['crm-sim'] ?? '', {
    accessToken: secrets.crmToken(source),
    appId,
    clientSecret: secrets.crmWebhook(source),
    webhookUrl: `${services['ingest'] ?? ''}/v1/webhooks/${tenantId}-${source}`,
    uniqueProperties: given.uniqueProperties ?? 'allowed',
    seed,
  });
}

/**
 * Given records were there before anybody listened: no webhooks, and search knows them already.
 * Only then does the portal begin to behave as the story wants.
 */
async function furnish(
  source: string,
  given: PortalGiven,
  portal: SimPortal,
  tenant: TenantWorld,
  run: string,
): Promise<void> {
  const records = given.records ?? [];
  if (records.length > 0) await portal.behave({ webhooks: 'drop' });
  for (const { type, properties, saveAs } of records) {
    const filled = fill(properties, valuesOf({ run }, tenant));
    const id = await portal.human({ action: 'create', type, properties: filled, force: true });
    remember(tenant.madeByHand, source, id);
    if (saveAs !== undefined) tenant.ids[saveAs] = id;
  }
  const behaviour = given.behaviour ?? {};
  await portal.behave({ webhooks: 'deliver', ...behaviour });
  for (const fault of given.faults ?? []) await portal.addFault(fault);
}

function integrationFor(
  scenario: Scenario,
  portals: ReadonlyMap<string, SimPortal>,
  options: WorldOptions,
): TenantWorld['integration'] {
  if (scenario.against === undefined) return null;
  const factory = options.integrations[scenario.against];
  const [portal] = portals.values();
  if (!factory || !portal)
    throw new ScenarioFault(`nobody brought an integration called '${scenario.against}'`);
  return factory(portal);
}
