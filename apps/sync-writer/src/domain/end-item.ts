import {
  operationIdOf,
  type EntityId,
  type EvidenceClass,
  type Outcome,
  type RetryBudget,
  type SourceId,
} from '@counterpart/sync-model';
import type { Resolution } from './decide-identity.js';
import type { Outgoing } from './outgoing.js';
import { eventResult } from './results.js';
import { decideRetry } from './retry.js';
import type { NeedOutcome, WorkItem } from './work.js';

/** One target of an event: how its own record and those it mentions ended there. */
export interface TargetEnding {
  readonly target: SourceId;
  readonly entityId: EntityId;
  readonly main: NeedOutcome;
  readonly mentioned: readonly NeedOutcome[];
  /** Of the associations; null when they are all made. */
  readonly associations: NeedOutcome | null;
  /** An operation's own result has told of this event here; it needs no second one. */
  readonly isTold: boolean;
}

export type ItemEnding =
  | { readonly kind: 'settled'; readonly messages: readonly Outgoing[] }
  | {
      readonly kind: 'deferred';
      readonly dueAtMs: number;
      /** Woken earlier when the claim of this key is settled. */
      readonly waitingOn: string | null;
      readonly counts: boolean;
    };

export interface EndWorld {
  readonly nowMs: number;
  readonly fraction: number;
  readonly budget: RetryBudget;
}

/**
 * How a lane's head leaves the worker, from all that happened at its targets. Anything that must
 * wait makes the whole head wait: what is already done will be found done. A head whose budget is
 * used up is parked with a case, and its lane goes on, since the entity keeps what it said.
 */
export const endAtTargets = (
  item: WorkItem,
  endings: readonly TargetEnding[],
  changed: boolean,
  world: EndWorld,
): ItemEnding => {
  const outcomes = endings.flatMap((ending) => [
    ending.main,
    ...ending.mentioned,
    ...(ending.associations === null ? [] : [ending.associations]),
  ]);
  const waiting = outcomes.find((outcome) => outcome.kind === 'wait');
  if (waiting?.kind === 'wait')
    return {
      kind: 'deferred',
      dueAtMs: waiting.untilMs,
      waitingOn: waiting.claimKey,
      counts: false,
    };
  const defers = outcomes.flatMap((outcome) => (outcome.kind === 'defer' ? [outcome] : []));
  const again = outcomes.some((outcome) => outcome.kind === 'linked' && outcome.again);
  if (defers.length === 0 && again)
    return { kind: 'deferred', dueAtMs: world.nowMs, waitingOn: null, counts: false };
  const worst = defers.sort((a, b) => (b.retryAtMs ?? 0) - (a.retryAtMs ?? 0))[0];
  if (worst !== undefined) {
    const retry = decideRetry(item, worst, world);
    if (retry.kind === 'wait') return { ...retry, kind: 'deferred', waitingOn: null };
    return {
      kind: 'settled',
      messages: endings.map((ending) =>
        report(
          item,
          ending.entityId,
          ending.target,
          {
            outcome: 'needs-review',
            reason: retry.reason,
            evidence: 'none',
          },
          world.nowMs,
        ),
      ),
    };
  }
  return {
    kind: 'settled',
    messages: endings
      .filter(({ isTold }) => !isTold)
      .map((ending) => reportTarget(item, ending, changed, world.nowMs)),
  };
};

/** An event that ended before any target was asked. */
export const endEarly = (
  item: WorkItem,
  resolution: Extract<Resolution, { kind: 'settled' }>,
  nowMs: number,
): ItemEnding => ({
  kind: 'settled',
  messages: [
    report(
      item,
      resolution.entityId ?? noEntity,
      item.operation.event.sourceId,
      {
        outcome: resolution.outcome,
        reason: resolution.reason,
        evidence: resolution.outcome === 'needs-review' ? 'ledger' : 'policy',
      },
      nowMs,
    ),
  ],
});

/** Some events concern a record that nobody knows; their result still needs a key. */
const noEntity = '00000000-0000-0000-0000-000000000000' as EntityId;

const reportTarget = (
  item: WorkItem,
  ending: TargetEnding,
  changed: boolean,
  nowMs: number,
): Outgoing => {
  const verdict = verdictOf(ending, changed);
  return report(item, ending.entityId, ending.target, verdict, nowMs, ending.main);
};

interface ShortVerdict {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly evidence: EvidenceClass;
}

const verdictOf = (ending: TargetEnding, changed: boolean): ShortVerdict => {
  const { main } = ending;
  switch (main.kind) {
    case 'linked':
      if (main.wrote !== null)
        return { outcome: main.wrote, reason: 'written', evidence: 'crm-answer' };
      return changed || ending.mentioned.some((m) => m.kind === 'linked' && m.wrote !== null)
        ? { outcome: 'applied', reason: 'joined', evidence: 'ledger' }
        : { outcome: 'no-op', reason: 'already-so', evidence: 'ledger' };
    case 'gone':
      return { outcome: 'superseded', reason: main.reason, evidence: 'policy' };
    case 'parked':
      return { outcome: main.outcome, reason: main.reason, evidence: 'crm-answer' };
    case 'wait':
    case 'defer':
      return { outcome: 'held', reason: 'waiting', evidence: 'none' };
    default:
      return main satisfies never;
  }
};

const report = (
  item: WorkItem,
  entityId: EntityId,
  target: SourceId,
  verdict: ShortVerdict,
  nowMs: number,
  main?: NeedOutcome,
): Outgoing => {
  const { event } = item.operation;
  return eventResult(
    event,
    { ...verdict, externalId: main?.kind === 'linked' ? main.externalId : null },
    {
      entityId,
      targetSourceId: target,
      operationId: operationIdOf({
        tenantId: event.tenantId,
        eventKey: event.eventKey,
        targetSourceId: target,
        recordType: event.recordType,
        entityId,
        purpose: 'event',
      }),
      attempts: item.attempts,
      traceparent: item.traceparent,
      nowMs,
    },
  );
};
