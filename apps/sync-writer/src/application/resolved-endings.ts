import type { SourceId } from '@counterpart/sync-model';
import type { TargetEnding } from '../domain/end-item.js';
import { needKey, type NeedOutcome } from '../domain/work.js';
import type { Edge, WriteStore } from './ports.js';
import type { Outcomes } from './write-needs.js';
import type { Resolved } from './write-ranks.js';

/** By event, the targets at which an operation's own result has told of it already. */
export type Told = Awaited<ReturnType<WriteStore['toldAt']>>;

const outcomeAt = (
  one: Resolved,
  index: number,
  target: SourceId,
  outcomes: Outcomes,
): NeedOutcome | undefined => {
  const statement = one.statements[index];
  const entityId = one.entityIds[index];
  if (!statement || !entityId) return undefined;
  return outcomes.get(needKey({ target, recordType: statement.recordType, entityId }));
};

/** Pairs of records that are both there; a pair with a missing side is simply not made. */
export const edgesWanted = (resolved: readonly Resolved[], outcomes: Outcomes): readonly Edge[] =>
  resolved.flatMap((one) =>
    one.targets.flatMap((target) =>
      one.statements.flatMap((statement, from) =>
        statement.related.flatMap((to) => {
          const left = outcomeAt(one, from, target, outcomes);
          const right = outcomeAt(one, to, target, outcomes);
          const other = one.statements[to];
          return left?.kind === 'linked' && right?.kind === 'linked' && other
            ? [
                {
                  tenantId: one.item.tenantId,
                  sourceId: target,
                  fromType: statement.recordType,
                  fromId: left.externalId,
                  toType: other.recordType,
                  toId: right.externalId,
                },
              ]
            : [];
        }),
      ),
    ),
  );

/** Every need is answered; should one not be, its event is kept rather than called done. */
const unanswered: NeedOutcome = {
  kind: 'defer',
  retryAtMs: null,
  counts: true,
  reason: 'need-unanswered',
};

/** How an item ended at each of its targets, from what became of its needs there. */
export const targetEndings = (
  one: Resolved,
  outcomes: Outcomes,
  associated: ReadonlyMap<SourceId, NeedOutcome>,
  told: Told,
): readonly TargetEnding[] => {
  const { event } = one.item.operation;
  const last = one.statements.length - 1;
  const entityId = one.entityIds[last];
  if (!entityId) return [];
  const atTargets = one.targets.map((target) => ({
    target,
    entityId,
    main: outcomeAt(one, last, target, outcomes) ?? unanswered,
    mentioned: one.statements
      .slice(0, last)
      .flatMap((_, index) => outcomeAt(one, index, target, outcomes) ?? []),
    associations: associated.get(target) ?? null,
    isTold: (told.get(event.eventKey) ?? []).some(
      (at) => at.target === target && at.entityId === entityId,
    ),
  }));
  const atSource = sourceOutcome(one);
  return atSource === null
    ? atTargets
    : [
        ...atTargets,
        {
          target: event.sourceId,
          entityId,
          main: atSource,
          mentioned: [],
          associations: null,
          isTold: false,
        },
      ];
};

/** What there is to say of the event's own source; null when its targets say enough. */
const sourceOutcome = ({ contested, targets, item }: Resolved): NeedOutcome | null => {
  if (contested.length > 0) {
    const reason = `both-sides-changed:${contested.join(',')}`;
    return { kind: 'parked', outcome: 'needs-review', reason };
  }
  // Nobody else is to hear of it: the clean feed has told, the ledger is the evidence.
  const { externalId } = item.operation.event;
  return targets.length === 0 ? { kind: 'linked', externalId, wrote: null, again: false } : null;
};
