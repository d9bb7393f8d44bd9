import { casesOf, gateDecisions } from '../adapters/operator-api.js';
import { checkCalls } from '../domain/check-calls.js';
import {
  checkAnswers,
  checkCases,
  checkGate,
  checkMappings,
  checkMessages,
  checkOperations,
} from '../domain/check-flow.js';
import { checkRecords } from '../domain/check-records.js';
import { countOk, countText } from '../domain/matching.js';
import { fill } from '../domain/placeholders.js';
import type { CheckRow, Finding } from '../domain/verdict.js';
import type { Check, WebhookStateCheck } from '../format/checks.js';
import type { Json } from '../format/json.js';
import { concerned, portalOf, valuesOf } from './world.js';
import type { TenantWorld, World } from './world.js';

/** One row for each tenant the check goes for. */
export async function evaluate(world: World, check: Check): Promise<readonly CheckRow[]> {
  const tenants = concerned(world, whereOf(check));
  const several = tenants.length > 1;
  return Promise.all(
    tenants.map(async (tenant) => {
      const finding = await findFor(world, tenant, filled(world, tenant, check));
      const name = check.name ?? kindOf(check);
      return { name: several ? `${name} (${tenant.name})` : name, ...finding };
    }),
  );
}

const kindOf = (check: Check): string =>
  Object.keys(check).find((key) => key !== 'name') ?? 'nothing';

function whereOf(check: Check): { readonly tenant?: string } {
  const inner: unknown = Object.entries(check).find(([key]) => key !== 'name')?.[1];
  const tenant: unknown =
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'tenant') : undefined;
  return typeof tenant === 'string' ? { tenant } : {};
}

/** Placeholders in conditions: `{id:spare}`, `{tenant}`. */
function filled(world: World, tenant: TenantWorld, check: Check): Check {
  const values = valuesOf(world, tenant);
  const where = <T extends { readonly where?: { readonly [key: string]: Json } }>(part: T): T =>
    part.where === undefined ? part : { ...part, where: fill(part.where, values) };
  return {
    ...check,
    ...(check.records ? { records: where(check.records) } : {}),
    ...(check.operations ? { operations: where(check.operations) } : {}),
    ...(check.messages ? { messages: where(check.messages) } : {}),
  };
}

async function findFor(world: World, tenant: TenantWorld, check: Check): Promise<Finding> {
  const { bus, env } = world;
  const { tenantId, marks } = tenant;
  if (check.records) {
    const { source, type, archived = false } = check.records;
    return checkRecords(check.records, await portalOf(tenant, source).records(type, archived));
  }
  if (check.calls) {
    const { source = 'crm' } = check.calls;
    return checkCalls(check.calls, source, await portalOf(tenant, source).calls(), marks);
  }
  if (check.operations) return checkOperations(check.operations, bus.operationsOf(tenantId));
  if (check.messages) return checkMessages(check.messages, bus.messagesOf(tenantId), marks);
  if (check.mappings) return checkMappings(check.mappings, bus.mappingsOf(tenantId));
  if (check.cases) return checkCases(check.cases, await casesOf(env.services, tenantId));
  if (check.gate) return checkGate(check.gate, await gateDecisions(env.services, tenantId));
  if (check.answers) return checkAnswers(check.answers, tenant.answers);
  if (check.webhookState) return checkWebhooks(tenant, check.webhookState);
  return { expected: 'a check', measured: 'nothing', ok: false };
}

async function checkWebhooks(tenant: TenantWorld, check: WebhookStateCheck): Promise<Finding> {
  const counts = await portalOf(tenant, check.source).webhookCounts();
  const measured = counts[check.state];
  return {
    expected: `${countText(check.count)} webhooks ${check.state}`,
    measured: String(measured),
    ok: countOk(check.count, measured),
  };
}
