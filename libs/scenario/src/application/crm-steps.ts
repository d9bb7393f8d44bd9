import type { SimPortal } from '../adapters/sim-portal.js';
import { holds } from '../domain/matching.js';
import { fill } from '../domain/placeholders.js';
import type { Json, JsonObject } from '../format/json.js';
import type {
  AutomationStep,
  BehaviourStep,
  FaultStep,
  HumanStep,
  WebhooksStep,
} from '../format/steps.js';
import { portalOf, remember, ScenarioFault, valuesOf } from './world.js';
import type { TenantWorld, World } from './world.js';

/** Somebody works in the CRM. Records made or merged by hand are remembered as not ours. */
export async function actAsHuman(
  world: World,
  tenant: TenantWorld,
  step: HumanStep,
): Promise<void> {
  const { source = 'crm', action, type, properties, into } = step;
  const portal = portalOf(tenant, source);
  const id = await idOf(world, tenant, portal, step.type, step, action === 'restore');
  const intoId = into
    ? await idOf(world, tenant, portal, into.type ?? type, into, false)
    : undefined;
  const made = await portal.human({
    action,
    type,
    ...(id === undefined ? {} : { id }),
    ...(properties ? { properties: fill(properties, valuesOf(world, tenant)) } : {}),
    ...(intoId === undefined ? {} : { intoId }),
    ...(into?.type === undefined ? {} : { intoType: into.type }),
    ...asGiven(step, ['changeSource', 'sourceId', 'userId', 'force']),
  });
  for (const touched of [id, intoId, made])
    if (touched !== undefined) remember(tenant.editedByHand, source, touched);
  if (action === 'create' || action === 'merge') remember(tenant.madeByHand, source, made);
  if (step.saveAs !== undefined) tenant.ids[step.saveAs] = made;
}

function asGiven(step: HumanStep, names: readonly (keyof HumanStep & string)[]): JsonObject {
  const given: Record<string, Json> = {};
  for (const name of names) {
    const value: unknown = step[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      given[name] = value;
  }
  return given;
}

interface Choice {
  readonly id?: string;
  readonly where?: JsonObject;
}

/** The one record a step speaks of; undefined when it speaks of none. Throws ScenarioFault. */
async function idOf(
  world: World,
  tenant: TenantWorld,
  portal: SimPortal,
  type: string,
  { id, where }: Choice,
  archived: boolean,
): Promise<string | undefined> {
  if (id !== undefined) return fill(id, valuesOf(world, tenant));
  if (where === undefined) return undefined;
  const wanted = fill(where, valuesOf(world, tenant));
  const records = await portal.records(type, archived);
  const found = records.filter((record) => holds(wanted, record.properties));
  const [first] = found;
  if (first && found.length === 1) return first.id;
  throw new ScenarioFault(
    `${found.length} of ${records.length} ${type} have ${JSON.stringify(wanted)}; a human needs exactly one`,
  );
}

export async function addAutomation(
  world: World,
  tenant: TenantWorld,
  step: AutomationStep,
): Promise<void> {
  const { source = 'crm', when, type, set, afterMs = 0 } = step;
  const filled = fill(set, valuesOf(world, tenant));
  const known = tenant.automations.get(source) ?? [];
  const automations = [...known, { when, type, set: filled, afterMs }];
  tenant.automations.set(source, automations);
  await portalOf(tenant, source).behave({ automations });
}

export const behave = (world: World, tenant: TenantWorld, step: BehaviourStep): Promise<void> =>
  portalOf(tenant, step.source).behave(fill(step.set, valuesOf(world, tenant)));

export async function addFault(world: World, tenant: TenantWorld, step: FaultStep): Promise<void> {
  const { tenant: _, source, ...rule } = step;
  const fault = fill(rule.fault, valuesOf(world, tenant));
  await portalOf(tenant, source).addFault({ ...rule, fault });
}

/** `deliver`, `hold` and `drop` set how webhooks are treated from now on; the rest act at once. */
export async function steerWebhooks(tenant: TenantWorld, step: WebhooksStep): Promise<void> {
  const portal = portalOf(tenant, step.source);
  switch (step.do) {
    case 'deliver':
    case 'hold':
    case 'drop':
      return portal.behave({ webhooks: step.do });
    case 'release':
    case 'double-shuffle-release':
    case 'drop-held':
    case 'redeliver-all':
      return portal.webhooks({
        action: step.do,
        ...(step.shuffleSeed === undefined ? {} : { shuffleSeed: step.shuffleSeed }),
      });
    default:
      return step.do satisfies never;
  }
}
