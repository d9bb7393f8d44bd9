import { backlog, serviceNames } from '../adapters/operator-api.js';
import { pause } from '../adapters/pause.js';
import type { TenantWorld, World } from './world.js';

/**
 * When is a tenant settled? Every service says that it has nothing left, no webhook is under way
 * (held ones are the story's own business), and what lies in the topics has been taken up. A
 * message may hide in a topic between two looks, so the looks are repeated with a fence between
 * them: each fence moves a hidden message on by at least one service, where the next look sees it
 * or the counters show it. Four quiet looks cover the longest way: event, operation, result.
 */
const quietLooks = 4;
const everyMs = 100;
const fenceTimeoutMs = 5_000;

export interface Settlement {
  readonly settled: boolean;
  /** Who still has work, as `sync-writer 3`; several tenants are told apart. */
  readonly busy: readonly string[];
}

/** Waits until the tenants are settled or the deadline has passed. */
export async function waitUntilSettled(
  world: World,
  tenants: readonly TenantWorld[],
  deadlineAtMs: number,
): Promise<Settlement> {
  let quiet = 0;
  let last = '';
  let behind: string | null = null;
  for (;;) {
    const look = await lookAt(world, tenants);
    quiet = look.busy.length === 0 && look.counters === last ? quiet + 1 : 0;
    last = look.counters;
    if (quiet >= quietLooks) return { settled: true, busy: [] };
    if (Date.now() >= deadlineAtMs)
      return {
        settled: false,
        busy: look.busy.length > 0 ? look.busy : [behind ?? 'still changing'],
      };
    await pause(everyMs);
    behind = isOurs(tenants) ? await world.bus.fence(fenceTimeoutMs) : null;
    if (behind !== null) quiet = 0;
  }
}

const isOurs = (tenants: readonly TenantWorld[]): boolean =>
  tenants.some(({ integration }) => integration === null);

interface Look {
  readonly busy: readonly string[];
  /** Anything that moves when work is done; equal counters mean that nothing was. */
  readonly counters: string;
}

async function lookAt(world: World, tenants: readonly TenantWorld[]): Promise<Look> {
  const looks = await Promise.all(tenants.map((tenant) => lookAtTenant(world, tenant)));
  const several = tenants.length > 1;
  return {
    busy: looks.flatMap(({ busy }, at) =>
      busy.map((one) => (several ? `${tenants[at]?.name ?? ''}: ${one}` : one)),
    ),
    counters: looks.map(({ counters }) => counters).join(' | '),
  };
}

async function lookAtTenant(world: World, tenant: TenantWorld): Promise<Look> {
  const busy: string[] = [];
  if (tenant.openDeliveries > 0) busy.push(`deliveries ${tenant.openDeliveries}`);
  const counters = [world.bus.messagesOf(tenant.tenantId).length];
  for (const [source, portal] of tenant.portals) {
    const { pending, delivered, attempts } = await portal.webhookCounts();
    if (pending > 0 && !tenant.integration) busy.push(`webhooks of ${source} ${pending}`);
    counters.push(delivered, attempts, await portal.callCount());
  }
  if (!tenant.integration) busy.push(...(await busyServices(world, tenant)));
  return { busy, counters: counters.join(' ') };
}

async function busyServices(world: World, tenant: TenantWorld): Promise<readonly string[]> {
  const pending = await Promise.all(
    serviceNames.map((service) => backlog(world.env.services, service, tenant.tenantId)),
  );
  return serviceNames.flatMap((service, at) => {
    const count = pending[at] ?? null;
    if (count === null) return [`${service} does not answer`];
    return count === 0 ? [] : [`${service} ${count}`];
  });
}
