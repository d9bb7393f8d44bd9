import type { SimPortal } from '../adapters/sim-portal.js';
import type { TenantSecrets } from '../adapters/tenant-secrets.js';
import type { AcceptedChange, Mark } from '../domain/evidence.js';
import type { PlaceholderValues } from '../domain/placeholders.js';
import type { Dice } from '../domain/seeded-random.js';
import type { JsonObject } from '../format/json.js';
import type { Scenario } from '../format/scenario.js';
import type { Bus, Integration, Say, StackControl, StackEnv } from './ports.js';

/** Everything one run of one scenario works with. */
export interface World {
  readonly scenario: Scenario;
  readonly run: string;
  readonly dice: Dice;
  readonly env: StackEnv;
  readonly bus: Bus;
  readonly control: StackControl;
  readonly tenants: readonly TenantWorld[];
  readonly deadlineAtMs: number;
  readonly say: Say;
}

/** One tenant of the run. Its mutable parts are what the steps have done so far. */
export interface TenantWorld {
  readonly name: string;
  readonly tenantId: string;
  readonly secrets: TenantSecrets;
  readonly portals: ReadonlyMap<string, SimPortal>;
  /** Set when the changes go to somebody else's integration instead of ours. */
  readonly integration: Integration | null;
  plan: JsonObject;
  /** Names given by `saveAs`. */
  readonly ids: Record<string, string>;
  readonly marks: Map<string, Mark>;
  readonly answers: number[];
  readonly accepted: AcceptedChange[];
  /** Deliveries that are on their way. */
  openDeliveries: number;
  nextId: number;
  /** Per source: records made, merged or edited by hand, and automations added so far. */
  readonly madeByHand: Map<string, Set<string>>;
  readonly editedByHand: Map<string, Set<string>>;
  readonly automations: Map<string, JsonObject[]>;
}

/** What placeholders mean for a tenant. */
export const valuesOf = (world: Pick<World, 'run'>, tenant: TenantWorld): PlaceholderValues => ({
  tenant: tenant.tenantId,
  run: world.run,
  ids: tenant.ids,
  nowMs: Date.now(),
  more: portalValues(tenant.portals),
});

/** `{crm.portalId}`, `{crm.baseUrl}`, `{crm.appId}` for every source. */
export function portalValues(
  portals: ReadonlyMap<string, Pick<SimPortal, 'portalId' | 'baseUrl'>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...portals].flatMap(([source, { portalId, baseUrl }]) => [
      [`${source}.portalId`, portalId],
      [`${source}.baseUrl`, baseUrl],
      [`${source}.appId`, appId],
    ]),
  );
}

/** Our app's id in every simulated portal: what webhooks of our own writes name. */
export const appId = '90210';

/** The tenants a step or a check goes for: the one it names, or all. */
export const concerned = (
  world: World,
  where: { readonly tenant?: string } = {},
): readonly TenantWorld[] =>
  where.tenant === undefined
    ? world.tenants
    : world.tenants.filter(({ name }) => name === where.tenant);

/** A story cannot go on; the message is for whoever wrote it. */
export class ScenarioFault extends Error {}

/** The portal behind a source (default `crm`). Throws ScenarioFault. */
export function portalOf(tenant: TenantWorld, source = 'crm'): SimPortal {
  const portal = tenant.portals.get(source);
  if (portal) return portal;
  const known = [...tenant.portals.keys()].join(', ');
  throw new ScenarioFault(`tenant '${tenant.name}' has no portal '${source}'; it has: ${known}`);
}

/** Adds to the set kept for a source. */
export function remember(sets: Map<string, Set<string>>, source: string, id: string): void {
  sets.set(source, (sets.get(source) ?? new Set()).add(id));
}
