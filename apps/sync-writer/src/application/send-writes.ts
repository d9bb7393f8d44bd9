import type { WriteResult } from '@counterpart/crm-port';
import { sendBudgetMs, sendingLeaseMs, settleSpanMs } from '../domain/claim.js';
import type { WriteEnding } from '../domain/settle-write.js';
import { endCreates } from './adopt-existing.js';
import type { Ended, Held, OpenSource, WriteContext } from './held-write.js';
import { probeUnanswered } from './probe-writes.js';

/** Marks the claims as sending, calls the CRM, and probes at once what got no answer. */
export const send = async (
  writes: readonly Held[],
  source: OpenSource,
  context: WriteContext,
): Promise<readonly Ended[]> => {
  if (writes.length === 0) return [];
  const settleMs = settleSpanMs(source.timing, source.capabilities.strongProbe);
  const askedMs = context.clock.monotonicMs();
  const mine = await context.store.markSending(
    writes.map(({ need, token, entity }) => ({
      tenantId: need.tenantId,
      token,
      entityVersion: entity.version,
      leaseMs: sendingLeaseMs(source.timing),
      settleMs,
    })),
  );
  const sentAtMs = context.clock.nowMs();
  const request = { sentAtMs, settleAtMs: sentAtMs + settleMs };
  const end = (held: Held, ending: WriteEnding): Ended => ({
    held,
    ending,
    request,
    provider: source.provider,
  });
  const holding = writes.filter((held) => mine.has(held.token)).map(attempted);
  // Taken over meanwhile, or the entity has moved on: what was planned is not what is meant now.
  const idle = writes.filter((held) => !mine.has(held.token));
  await context.store.release(idle.map(({ need, token }) => ({ tenantId: need.tenantId, token })));
  // Paused between the mark and here: somebody may count on our silence soon, so nothing is sent.
  if (context.clock.monotonicMs() - askedMs > sendBudgetMs)
    return holding.map((held) =>
      end(held, { kind: 'result', result: { kind: 'unsent', code: 'paused-before-send' } }),
    );
  const results = await call(holding, source);
  const answers = await endCreates(holding, results, source, context);
  const endings = answers.map(({ held, ending }) => end(held, ending));
  if (!source.capabilities.strongProbe) return endings;
  const unanswered = endings.filter(
    ({ ending, held }) => isUnknown(ending) && held.operation.action === 'create',
  );
  const probed = await probeUnanswered(unanswered, source, context);
  const looked = new Map(probed.map((ended) => [ended.held.token, ended]));
  return endings.map((ended) => looked.get(ended.held.token) ?? ended);
};

const attempted = (held: Held): Held => ({
  ...held,
  operation: { ...held.operation, attempts: held.operation.attempts + 1 },
});

const isUnknown = (ending: WriteEnding): boolean =>
  ending.kind === 'result' && ending.result.kind === 'unknown';

/** Creates and updates go out side by side; the answers come back in the order of the writes. */
const call = async (
  writes: readonly Held[],
  { adapter }: OpenSource,
): Promise<ReadonlyMap<string, WriteResult>> => {
  const creates = writes.filter(({ operation }) => operation.action === 'create');
  const updates = writes.flatMap((held) =>
    held.operation.externalId === null || held.operation.action === 'create'
      ? []
      : [{ held, externalId: held.operation.externalId }],
  );
  const recordType = writes[0]?.operation.recordType ?? '';
  const [created, updated] = await Promise.all([
    creates.length === 0
      ? []
      : adapter.create(
          recordType,
          creates.map(({ operation }) => ({
            marker: operation.entityId,
            fields: operation.fields,
          })),
        ),
    updates.length === 0
      ? []
      : adapter.update(
          recordType,
          updates.map(({ held, externalId }) => ({
            externalId,
            fields: held.operation.fields,
            expectedVersion: held.mapping?.versionToken ?? null,
          })),
        ),
  ]);
  const unanswered: WriteResult = { kind: 'unknown', code: 'no-verdict' };
  return new Map([
    ...creates.map((held, index) => [held.token, created[index] ?? unanswered] as const),
    ...updates.map(({ held }, index) => [held.token, updated[index] ?? unanswered] as const),
  ]);
};
