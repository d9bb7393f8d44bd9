import type { WriteResult } from '@counterpart/crm-port';
import {
  asEventKey,
  fingerprintOfValue,
  operationIdOf,
  type OperationId,
} from '@counterpart/sync-model';
import { claimedLeaseMs, decideClaim, sendingLeaseMs } from '../domain/claim.js';
import { fingerprintOfFields } from '../domain/fingerprint-of-fields.js';
import { planTarget, type TargetPlan } from '../domain/plan-target.js';
import { recordTaken, settleWrite } from '../domain/settle-write.js';
import { targetPolicy } from '../domain/target-policy.js';
import { needKey, type Need, type NeedOutcome } from '../domain/work.js';
import { findExisting } from './adopt-existing.js';
import type { Ended, Held, OpenSource, Sent, WriteContext } from './held-write.js';
import type { ClaimAnswer, Refusal } from './ports.js';
import { probeLost } from './probe-writes.js';
import { send } from './send-writes.js';

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
  await settle(await probeLost(writes.probes, source, context), outcomes, context);
  const found = await findExisting(writes.writes, source, context);
  await settle(found.endings, outcomes, context);
  await settle(await send(found.absent, source, context), outcomes, context);
  // Not sent after all: somebody took the claim over, or changed the entity, while we looked around.
  for (const need of needs)
    if (!outcomes.has(needKey(need))) outcomes.set(needKey(need), overtaken);
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
        planTarget(entity, mapping, targetPolicy(context.plan, need)),
      operationIdOf: operationOf,
      nowMs: () => context.clock.nowMs(),
      held: (row, strongProbe) => decideClaim(row, { nowMs: context.clock.nowMs(), strongProbe }),
    },
  );

interface Sorted {
  readonly writes: Held[];
  readonly probes: Sent[];
  readonly unnamed: Sent[];
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
      case 'parked':
      case 'wait':
        outcomes.set(key, answer);
        return;
      default:
        answer satisfies never;
    }
  });
  return sorted;
};

const unnamed = (held: Sent, source: OpenSource, context: WriteContext): Ended => {
  context.metrics.claimTakenOver('name-unknown');
  const result: WriteResult = { kind: 'unknown', code: 'sender-lost' };
  return {
    held,
    ending: { kind: 'result', result },
    request: held.request,
    provider: source.provider,
  };
};

/** Commits the endings; a refused commit sends its lane around again. */
const settle = async (
  ended: readonly Ended[],
  outcomes: Outcomes,
  context: WriteContext,
): Promise<void> => {
  if (ended.length === 0) return;
  const settled = ended.map(({ held, ending, request, provider }) => ({
    held,
    ...settleWrite(held, ending, { nowMs: context.clock.nowMs(), request, provider }),
  }));
  const { refused, outdated } = await context.store.settle(
    settled.map(({ settlement }) => settlement),
  );
  let overtaken = 0;
  for (const { held, outcome, settlement } of settled) {
    const refusal = refused.get(held.token);
    if (refusal === 'overtaken') overtaken += 1;
    if (refusal === undefined && settlement.outcome !== null)
      context.metrics.settled(settlement.outcome);
    const end =
      outcome.kind === 'linked' && outdated.has(held.token) ? { ...outcome, again: true } : outcome;
    outcomes.set(needKey(held.need), refusal === undefined ? end : refusedOutcome(refusal));
  }
  if (overtaken > 0) context.metrics.fenceRefused(overtaken);
};

const overtaken: NeedOutcome = {
  kind: 'defer',
  retryAtMs: null,
  counts: false,
  reason: 'claim-overtaken',
};

const refusedOutcome = (refusal: Refusal): NeedOutcome =>
  refusal === 'overtaken'
    ? overtaken
    : { kind: 'parked', outcome: 'needs-review', reason: recordTaken };
