import { fingerprintOfValue } from './fingerprints.js';
import type { FieldType, FieldValue, Fields } from './fields.js';
import type { Fingerprint, SourceId } from './ids.js';
import { canonical, isLater, same, type FieldOwner } from './merge-values.js';

export type InboundRefusal =
  /** The source still holds what it last stored for us: no change, whatever the entity did since. */
  | 'unchanged-at-source'
  /** Another side owns the field. */
  | 'not-owner'
  /** The entity's value is a later change. */
  | 'older-change'
  /** Both changed and the plan wants a person to decide. */
  | 'needs-review';

export interface InboundQuestion {
  readonly entity: Fields;
  /** Per field, what this source last stored for us, from its mapping. */
  readonly base: Readonly<Record<string, Fingerprint>>;
  /** Per field, what we meant by that, where the source cut or re-formatted it. Default: the same. */
  readonly meant?: Readonly<Record<string, Fingerprint>>;
  readonly incoming: Fields;
  readonly owners: Readonly<Record<string, FieldOwner>>;
  readonly types: Readonly<Record<string, FieldType>>;
  readonly originSourceId: SourceId;
  readonly incomingAtMs?: Readonly<Record<string, number>>;
  readonly entityChangedAtMs?: Readonly<Record<string, number>>;
  /** Who changed the entity's value last: a source that only moves on from its own says nothing new. */
  readonly entityChangedBy?: Readonly<Record<string, SourceId>>;
  /** Write an owner's value back over a foreign edit at the source. Default: leave the edit there. */
  readonly restoreOwned?: boolean;
}

export interface InboundDecision {
  readonly apply: Fields;
  readonly rejected: readonly { readonly field: string; readonly reason: InboundRefusal }[];
  /**
   * Entity values to write back to the source. A `last-change` loser is always among them, else
   * the two sides would differ for ever; an owned field only with `restoreOwned`.
   */
  readonly restore: Fields;
}

/** Which fields of a source's change the entity takes over. Equal values appear in no list. */
export const decideInbound = (question: InboundQuestion): InboundDecision => {
  const apply: [string, FieldValue][] = [];
  const restore: [string, FieldValue][] = [];
  const rejected: { field: string; reason: InboundRefusal }[] = [];
  for (const field of Object.keys(question.incoming)) {
    const incoming = canonical(question.types[field], question.incoming[field]) ?? null;
    const current = canonical(question.types[field], question.entity[field]);
    if (current !== undefined && same(incoming, current)) continue;
    const refusal = refusalOf(field, incoming, current, question);
    if (refusal === undefined) apply.push([field, incoming]);
    else rejected.push({ field, reason: refusal });
    const isRestored =
      refusal === 'older-change' || (refusal === 'not-owner' && question.restoreOwned === true);
    if (isRestored && current !== undefined) restore.push([field, current]);
  }
  return {
    apply: Object.fromEntries(apply),
    rejected,
    restore: Object.fromEntries(restore),
  };
};

const refusalOf = (
  field: string,
  incoming: FieldValue,
  current: FieldValue | undefined,
  question: InboundQuestion,
): InboundRefusal | undefined => {
  // A field the entity never had is filled by whoever states it first; nothing is overwritten.
  if (current === undefined) return undefined;
  const base = question.base[field];
  if (base !== undefined && fingerprintOfValue(incoming) === base) return 'unchanged-at-source';
  const owner = question.owners[field] ?? 'review';
  if (owner === question.originSourceId) return undefined;
  if (owner === 'last-change') {
    const atMs = question.entityChangedAtMs?.[field];
    const incomingAtMs = question.incomingAtMs?.[field];
    if (atMs === undefined || incomingAtMs === undefined) return undefined;
    return isLater({ atMs: incomingAtMs, value: incoming }, { atMs, value: current })
      ? undefined
      : 'older-change';
  }
  if (owner === 'review') {
    const meant = question.meant?.[field] ?? base;
    const isOnlyTheirs =
      question.entityChangedBy?.[field] === question.originSourceId ||
      (meant !== undefined && fingerprintOfValue(current) === meant);
    return isOnlyTheirs ? undefined : 'needs-review';
  }
  return 'not-owner';
};
