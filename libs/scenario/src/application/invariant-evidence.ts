import { gateDecisions } from '../adapters/operator-api.js';
import { checkInvariant } from '../domain/invariants.js';
import type { InvariantEvidence, PortalEvidence, TypeEvidence } from '../domain/invariants.js';
import { isObject } from '../domain/placeholders.js';
import type { CheckRow } from '../domain/verdict.js';
import { invariantNames } from '../format/scenario.js';
import type { Json, JsonObject } from '../format/json.js';
import { waitUntilSettled } from './settled.js';
import type { TenantWorld, World } from './world.js';

/** One row for each invariant that does not hold, or one that says that all do. */
export async function invariantRows(world: World): Promise<readonly CheckRow[]> {
  const excepted = world.scenario.except?.invariants ?? [];
  const names = invariantNames.filter((name) => !excepted.includes(name));
  const rows: CheckRow[] = [];
  for (const tenant of world.tenants) {
    const evidence = await evidenceOf(world, tenant);
    const suffix = world.tenants.length > 1 ? ` (${tenant.name})` : '';
    for (const name of names)
      rows.push({ name: `always: ${name}${suffix}`, ...checkInvariant(name, evidence) });
  }
  const broken = rows.filter(({ ok }) => !ok);
  if (broken.length > 0) return broken;
  const expected = `${rows.length} hold`;
  return [{ name: 'standing invariants', expected, measured: expected, ok: true }];
}

async function evidenceOf(world: World, tenant: TenantWorld): Promise<InvariantEvidence> {
  // A story whose work stays pending on purpose is not waited for.
  const excepted = world.scenario.except?.invariants ?? [];
  const deadlineAtMs = excepted.includes('nothing-pending') ? 0 : world.deadlineAtMs;
  const { busy } = await waitUntilSettled(world, [tenant], deadlineAtMs);
  const portals = await Promise.all(
    [...tenant.portals.keys()].map((source) => portalEvidence(tenant, source)),
  );
  return {
    accepted: tenant.accepted,
    decisions: await gateDecisions(world.env.services, tenant.tenantId),
    operations: world.bus.operationsOf(tenant.tenantId),
    portals,
    busy,
  };
}

async function portalEvidence(tenant: TenantWorld, source: string): Promise<PortalEvidence> {
  const portal = tenant.portals.get(source);
  const types: TypeEvidence[] = [];
  for (const { type, matchProperties } of matchedTypes(tenant.plan, source))
    types.push({ type, matchProperties, live: (await portal?.records(type, false)) ?? [] });
  return {
    source,
    types,
    madeByHand: tenant.madeByHand.get(source) ?? new Set(),
    editedByHand: tenant.editedByHand.get(source) ?? new Set(),
    automated: (tenant.automations.get(source) ?? []).length > 0,
  };
}

/** The CRM's types and properties behind the plan's match keys. */
function matchedTypes(plan: JsonObject, source: string): readonly Omit<TypeEvidence, 'live'>[] {
  const maps = at(at(at(plan, 'sources'), source), 'records');
  return Object.entries(maps).map(([recordType, map]) => {
    const record = at(at(plan, 'records'), recordType);
    const match = Array.isArray(record['match']) ? record['match'] : [];
    const properties = at(map, 'fields');
    const fields = at(record, 'fields');
    return {
      type: String(objectAt(map)['object'] ?? ''),
      matchProperties: match.map((field: Json) => ({
        property: String(properties[String(field)] ?? ''),
        kind: String(at(fields, String(field))['type'] ?? ''),
      })),
    };
  });
}

const objectAt = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const at = (value: Json | undefined, key: string): JsonObject => objectAt(objectAt(value)[key]);
