import { deliver } from '../adapters/app-deliveries.js';
import type { AppDoor, IngestAnswer } from '../adapters/app-deliveries.js';
import { pause } from '../adapters/pause.js';
import { planPush } from '../domain/plan-push.js';
import type { PlannedRequest } from '../domain/plan-push.js';
import type { CheckRow } from '../domain/verdict.js';
import type { PushStep } from '../format/steps.js';
import { fill } from '../domain/placeholders.js';
import { ScenarioFault, valuesOf } from './world.js';
import type { TenantWorld, World } from './world.js';

/**
 * Sends a push step's deliveries by its clients and waits for every answer. Gives a row for each
 * kind of answer that was not expected, and one row where the step names the answer it wants.
 */
export async function push(
  world: World,
  tenant: TenantWorld,
  step: PushStep,
): Promise<readonly CheckRow[]> {
  const nextId = (): number => (tenant.nextId += 1);
  const requests = planPush(step, valuesOf(world, tenant), nextId, world.dice);
  const queue = [...requests];
  const startedAtMs = Date.now();
  const answers: IngestAnswer[] = [];
  tenant.openDeliveries += requests.length;
  const client = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await pauseUntil(startedAtMs + next.atMs);
      answers.push(await send(world, tenant, step, next));
      tenant.openDeliveries -= 1;
    }
  };
  await Promise.all(Array.from({ length: step.clients ?? 1 }, client));
  return rowsOf(step, answers);
}

const pauseUntil = async (atMs: number): Promise<void> => {
  const leftMs = atMs - Date.now();
  if (leftMs > 0) await pause(leftMs);
};

async function send(
  world: World,
  tenant: TenantWorld,
  step: PushStep,
  request: PlannedRequest,
): Promise<IngestAnswer> {
  if (tenant.integration) return handOver(tenant, tenant.integration, request);
  const answer = await deliverUntilTaken(world, doorOf(world, tenant, step), step, request);
  tenant.answers.push(answer.status);
  tenant.accepted.push(...answer.accepted);
  return answer;
}

const taken: IngestAnswer = { status: 202, code: '', accepted: [], retryAfterMs: null };

/** The usual webhook handler: answers at once and works afterwards. */
function handOver(
  tenant: TenantWorld,
  integration: NonNullable<TenantWorld['integration']>,
  request: PlannedRequest,
): IngestAnswer {
  for (const change of request.changes) {
    tenant.openDeliveries += 1;
    void integration.handle(change).finally(() => (tenant.openDeliveries -= 1));
  }
  tenant.answers.push(taken.status);
  return taken;
}

const retryEveryMs = 250;

/** A decent client: what was not taken for want of room or of a server is sent again, as it is. */
async function deliverUntilTaken(
  world: World,
  door: AppDoor,
  step: PushStep,
  request: PlannedRequest,
): Promise<IngestAnswer> {
  for (;;) {
    const answer = await deliver(door, request, step.signature ?? 'valid');
    const again = answer.status === 0 || answer.status === 503 || answer.status === 429;
    if (!again || answer.status === step.answer?.status) return answer;
    if (Date.now() > world.deadlineAtMs) return answer;
    await pause(answer.retryAfterMs ?? retryEveryMs);
  }
}

function doorOf(world: World, tenant: TenantWorld, step: PushStep): AppDoor {
  const other = world.tenants.find(({ name }) => name !== tenant.name);
  if (step.signature === 'other-tenant' && !other)
    throw new ScenarioFault("signature 'other-tenant' needs a second tenant");
  return {
    ingestUrl: world.env.services['ingest'] ?? '',
    tenantId: fill(step.toTenant ?? '{tenant}', valuesOf(world, tenant)),
    sourceId: step.toSource ?? step.source ?? 'app',
    secret: tenant.secrets.app,
    retiredSecret: tenant.secrets.retiredApp,
    foreignSecret: other?.secrets.app ?? '',
  };
}

function rowsOf(step: PushStep, answers: readonly IngestAnswer[]): readonly CheckRow[] {
  const wanted = step.answer ?? { status: 202 };
  const expected = `${wanted.status} ${wanted.code ?? ''}`.trimEnd();
  const wrong = answers.filter(
    ({ status, code }) =>
      status !== wanted.status || (wanted.code !== undefined && wanted.code !== code),
  );
  const measured = [...new Set((wrong.length > 0 ? wrong : answers).map(textOf))].join(', ');
  const row = { name: 'ingest answers', expected, measured, ok: wrong.length === 0 };
  return wrong.length > 0 || step.answer ? [row] : [];
}

const textOf = ({ status, code }: IngestAnswer): string => `${status} ${code}`.trimEnd();
