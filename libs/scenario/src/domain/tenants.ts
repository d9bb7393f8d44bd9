import type { Given, PortalGiven, Scenario, TenantGiven } from '../format/scenario.js';

/** One tenant of a scenario with all that was given for it, its own laid over the shared. */
export interface TenantSpec {
  readonly name: string;
  readonly given: TenantGiven;
}

/** The tenants of a scenario; one called `main` when it names none. */
export function tenantsOf(scenario: Scenario): readonly TenantSpec[] {
  const { tenants, ...shared }: Given = scenario.given ?? {};
  return Object.entries(tenants ?? { main: {} }).map(([name, own]) => ({
    name,
    given: overlaid(shared, own),
  }));
}

function overlaid(shared: TenantGiven, own: TenantGiven): TenantGiven {
  const plan = own.plan ?? shared.plan;
  const sources = new Set([...Object.keys(portalsOf(shared)), ...Object.keys(portalsOf(own))]);
  const portals = [...sources].map((source): [string, PortalGiven] => [
    source,
    overlaidPortal(portalsOf(shared)[source] ?? {}, portalsOf(own)[source] ?? {}),
  ]);
  return { ...(plan === undefined ? {} : { plan }), portals: Object.fromEntries(portals) };
}

/** Key by key, one level deep: null is a value here (`perSecond: null` is "no limit"). */
const overlaidPortal = (shared: PortalGiven, own: PortalGiven): PortalGiven => ({
  ...shared,
  ...own,
  behaviour: { ...shared.behaviour, ...own.behaviour },
});

const portalsOf = (given: TenantGiven): Readonly<Record<string, PortalGiven>> => ({
  ...(given.crm === undefined ? {} : { crm: given.crm }),
  ...given.portals,
});

const idMax = 48;

/**
 * The tenant's id in the stack: readable, of its own in every run, and short enough that a webhook
 * endpoint named after it stays a valid name (63 letters).
 */
export function tenantIdFor(scenarioName: string, tenant: string, run: string): string {
  const tail = `${tenant}-${run}`.toLowerCase();
  const slug = scenarioName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, Math.max(1, idMax - tail.length - 1))
    .replace(/-+$/, '');
  return `${slug === '' ? 's' : slug}-${tail}`.slice(0, idMax);
}
