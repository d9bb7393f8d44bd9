import type { CrmAdapter, RecordCapabilities, WriteResult } from '@counterpart/crm-port';
import {
  asEventKey,
  fingerprintOfValue,
  operationIdOf,
  type Clock,
  type OperationId,
} from '@counterpart/sync-model';
import { fingerprintOfFields } from '../domain/fingerprint-of-fields.js';
import {
  claimedLeaseMs,
  decideClaim,
  sendBudgetMs,
  sendingLeaseMs,
  settleSpanMs,
  type Timing,
} from '../domain/claim.js';
import { planTarget, type TargetPlan } from '../domain/plan-target.js';
import { settleWrite, type ClaimedWrite, type WriteEnding } from '../domain/settle-write.js';
import { targetPolicy, type PolicyOf } from '../domain/target-policy.js';
import { needKey, type Entity, type Need, type NeedOutcome } from '../domain/work.js';
import { endCreates, findExisting } from './adopt-existing.js';
import type { ClaimAnswer, Sources, WriteStore, WriterMetrics } from './ports.js';

/**
 * Makes records exist at one source: many needs of one record type, in one pass.
 *
 *   claim (tx) ─▶ look for an existing record ─▶ mark sending (tx) ─▶ call the CRM ─▶ settle (tx)
 *
 * No transaction and no connection is open while the CRM is called. Claims are only ever tried,
 * never waited for, and none is held while another is asked for, so two workers cannot block each
 * other: whoever finds a claim taken puts its lane back and is woken when the claim is settled.
 * Between any two steps the process may die or be paused for minutes; what then holds is told in
 * `domain/claim.ts`.
 */
export interface WriteContext {
  readonly store: WriteStore;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly metrics: WriterMetrics;
  readonly policyOf: PolicyOf;
}

export interface OpenSource {
  readonly adapter: CrmAdapter;
  readonly capabilities: RecordCapabilities;
  readonly timing: Timing;
  readonly provider: string;
}

/** A write that holds its claim. */
export interface Held extends ClaimedWrite {
  readonly need: Need;
  readonly entity: Entity;
}

export type Outcomes = Map<string, NeedOutcome>;

/** All needs are of one tenant, target and record type. Answers by `needKey`. */
export const writeNeeds = async (
  needs: readonly Need[],
  context: WriteContext,
): Promise<Outcomes> => {
  const first = needs[0];
  if (first === undefined) return new Map();
  const opened = await context.sources.open(first.tenantId, first.target);
  const capabilities = opened.ok ? opened.capabilities.get(first.recordType) : undefined;
  if (!opened.ok || capabilities === undefined) {
    const reason = opened.ok ? 'record-type-not-offered' : opened.code;
    const retryAtMs = opened.ok ? null : opened.retryAtMs;
    return outcomesOf(needs, () => ({ kind: 'defer', retryAtMs, counts: true, reason }));
  }
  const source = { ...opened, capabilities };
  const outcomes: Outcomes = new Map();
  const answers = await claim(needs, source, context);
  const writes = sortAnswers(needs, answers, outcomes);
  await settle(
    writes.unnamed.map((held) => unnamed(held, source, context)),
    outcomes,
    context,
  );
  await settle(await probe(writes.probes, source, context), outcomes, context);
  const found = await findExisting(writes.writes, source, context);
  await settle(found.endings, outcomes, context);
  await settle(await send(found.absent, source, context), outcomes, context);
  return outcomes;
};

const outcomesOf = (needs: readonly Need[], outcome: (need: Need) => NeedOutcome): Outcomes =>
  new Map(needs.map((need) => [needKey(need), outcome(need)]));

const firstWrite = asEventKey('first-write');

/**
 * A create has one identity whoever asks for it, so that two hundred meetings with one new person
 * name one operation. An update is the event's wish for exactly these values.
 */
const operationOf = (need: Need, plan: TargetPlan): OperationId =>
  operationIdOf({
    tenantId: need.tenantId,
    eventKey: plan.kind === 'update' ? need.eventKey : firstWrite,
    targetSourceId: need.target,
    recordType: need.recordType,
    entityId: need.entityId,
    purpose: plan.kind === 'update' ? `update:${fingerprintOfFields(plan.fields)}` : 'create',
  });

const claim = (needs: readonly Need[], source: OpenSource, context: WriteContext) =>
  context.store.claim(
    needs.map((need) => ({
      need,
      claimKey: fingerprintOfValue(`${need.tenantId}\u001f${needKey(need)}`),
      claimedLeaseMs: claimedLeaseMs(source.timing),
      sendingLeaseMs: sendingLeaseMs(source.timing),
      strongProbe: source.capabilities.strongProbe,
    })),
    {
      plan: (need, entity, mapping) =>
        planTarget(entity, mapping, targetPolicy(context.policyOf, need)),
      operationIdOf: operationOf,
      nowMs: () => context.clock.nowMs(),
      held: (row, strongProbe) => decideClaim(row, { nowMs: context.clock.nowMs(), strongProbe }),
    },
  );

interface Sorted {
  readonly writes: Held[];
  readonly probes: Held[];
  readonly unnamed: (Held & { readonly settleAtMs: number })[];
}

/** Needs that may write, beside those that are answered without a write. */
const sortAnswers = (
  needs: readonly Need[],
  answers: readonly ClaimAnswer[],
  outcomes: Outcomes,
): Sorted => {
  const sorted: Sorted = { writes: [], probes: [], unnamed: [] };
  answers.forEach((answer, index) => {
    const need = needs[index];
    if (need === undefined) return;
    const key = needKey(need);
    switch (answer.kind) {
      case 'write':
        sorted.writes.push({ ...answer, need });
        return;
      case 'probe':
        sorted.probes.push({ ...answer, need });
        return;
      case 'name-unknown':
        sorted.unnamed.push({ ...answer, need });
        return;
      case 'linked':
        outcomes.set(key, {
          kind: 'linked',
          externalId: answer.externalId,
          wrote: null,
          again: false,
        });
        return;
      case 'gone':
        outcomes.set(key, { kind: 'gone', reason: answer.reason });
        return;
      case 'wait':
        outcomes.set(key, { kind: 'wait', claimKey: answer.claimKey, untilMs: answer.untilMs });
        return;
      default:
        answer satisfies never;
    }
  });
  return sorted;
};

export interface Ended {
  readonly held: Held;
  readonly ending: WriteEnding;
  readonly settleAtMs: number;
  readonly provider: string;
}

const unnamed = (
  held: Held & { readonly settleAtMs: number },
  source: OpenSource,
  context: WriteContext,
): Ended => {
  context.metrics.claimTakenOver('name-unknown');
  const result: WriteResult = { kind: 'unknown', code: 'sender-lost' };
  return {
    held,
    ending: { kind: 'result', result },
    settleAtMs: held.settleAtMs,
    provider: source.provider,
  };
};

/** Looks for the result of writes whose sender is gone or got no answer, where a look is proof. */
const probe = async (
  writes: readonly Held[],
  source: OpenSource,
  context: WriteContext,
): Promise<readonly Ended[]> => {
  if (writes.length === 0) return [];
  const first = writes[0];
  if (first === undefined) return [];
  const found = await source.adapter.probe(
    first.operation.recordType,
    writes.map(({ operation }) => ({
      marker: operation.entityId,
      fields: operation.fields,
      externalId: operation.externalId,
    })),
  );
  const settleAtMs = context.clock.nowMs() + settleSpanMs(source.timing);
  return writes.map((held, index) => ({
    held,
    ending: probeEnding(held, found[index]),
    settleAtMs,
    provider: source.provider,
  }));
};

const probeEnding = (
  held: Held,
  found: Awaited<ReturnType<CrmAdapter['probe']>>[number] | undefined,
): WriteEnding => {
  if (found === undefined)
    return { kind: 'result', result: { kind: 'unknown', code: 'probe-unanswered' } };
  switch (found.kind) {
    case 'found':
      return held.operation.action === 'create' || holds(found.record.stored, held.operation.fields)
        ? { kind: 'read-back', record: found.record }
        : { kind: 'not-done' };
    case 'absent':
      return { kind: 'not-done' };
    case 'ambiguous':
      return { kind: 'ambiguous' };
    case 'unreadable':
      return { kind: 'result', result: { kind: 'unknown', code: found.code } };
    default:
      return found satisfies never;
  }
};

const holds = (stored: Held['operation']['fields'], sent: Held['operation']['fields']): boolean =>
  Object.entries(sent).every(
    ([field, value]) => fingerprintOfValue(stored[field] ?? null) === fingerprintOfValue(value),
  );

/** Marks the claims as sending, calls the CRM, and probes at once what got no answer. */
const send = async (
  writes: readonly Held[],
  source: OpenSource,
  context: WriteContext,
): Promise<readonly Ended[]> => {
  if (writes.length === 0) return [];
  const askedMs = context.clock.monotonicMs();
  const mine = await context.store.markSending(
    writes.map(({ need, token }) => ({
      tenantId: need.tenantId,
      token,
      leaseMs: sendingLeaseMs(source.timing),
      settleMs: settleSpanMs(source.timing),
    })),
  );
  const settleAtMs = context.clock.nowMs() + settleSpanMs(source.timing);
  const end = (held: Held, ending: WriteEnding): Ended => ({
    held,
    ending,
    settleAtMs,
    provider: source.provider,
  });
  const holding = writes.filter((held) => mine.has(held.token)).map(attempted);
  // Paused between the mark and here: somebody may count on our silence soon, so nothing is sent.
  if (context.clock.monotonicMs() - askedMs > sendBudgetMs)
    return holding.map((held) =>
      end(held, { kind: 'result', result: { kind: 'unsent', code: 'paused-before-send' } }),
    );
  const results = await call(holding, source);
  const endings = await endCreates(holding, results, source, context);
  const lost = endings.filter(({ ending }) => isUnknown(ending)).map(({ held }) => held);
  const probed = source.capabilities.strongProbe ? await probe(lost, source, context) : [];
  const answered = new Map(probed.map((ended) => [ended.held.token, ended]));
  return endings.map((ended) => answered.get(ended.held.token) ?? end(ended.held, ended.ending));
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

/** Commits the endings; a refused commit sends its lane around again. */
const settle = async (
  ended: readonly Ended[],
  outcomes: Outcomes,
  context: WriteContext,
): Promise<void> => {
  if (ended.length === 0) return;
  const settled = ended.map(({ held, ending, settleAtMs, provider }) => ({
    held,
    ...settleWrite(held, ending, { nowMs: context.clock.nowMs(), settleAtMs, provider }),
  }));
  const refused = await context.store.settle(settled.map(({ settlement }) => settlement));
  let overtaken = 0;
  for (const { held, outcome, settlement } of settled) {
    const refusal = refused.get(held.token);
    if (refusal === 'overtaken') overtaken += 1;
    if (refusal === undefined && settlement.outcome !== null)
      context.metrics.settled(settlement.outcome);
    outcomes.set(needKey(held.need), refusal === undefined ? outcome : refusedOutcome(refusal));
  }
  if (overtaken > 0) context.metrics.fenceRefused(overtaken);
};

const refusedOutcome = (refusal: 'overtaken' | 'mapped-elsewhere'): NeedOutcome =>
  refusal === 'overtaken'
    ? { kind: 'defer', retryAtMs: null, counts: false, reason: 'claim-overtaken' }
    : { kind: 'parked', outcome: 'needs-review', reason: 'record-belongs-to-another-entity' };
