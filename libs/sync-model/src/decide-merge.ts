/**
 * Three-way merging, field by field. Three values meet: the base (what the target last stored for
 * us), theirs (what the target holds now) and ours (what the entity holds). Two functions decide,
 * one per direction, by the same policy:
 *
 *   decideMerge    our entity → a target: may this field be written there?
 *   decideInbound  a source's change → our entity: may this field be taken over?
 *
 * The policy of a field is its owner: a source, `last-change` (the later change wins), or `review`
 * (when both sides changed it, a person decides).
 */
import { fingerprintOfValue } from './fingerprints.js';
import type { FieldType, FieldValue, Fields } from './fields.js';
import type { Fingerprint, SourceId } from './ids.js';
import { canonical, isLater, same, type FieldOwner } from './merge-values.js';

export type MergeRule = 'absence' | 'equal' | 'initial' | 'owner' | 'last-change' | 'review';

/** Why one field is (not) written. `before` is what the target holds, for the explanation. */
export type FieldDecision = { readonly field: string; readonly rule: MergeRule } & (
  | {
      readonly kind: 'write';
      readonly reason: 'new-record' | 'owner-wins' | 'only-ours-changed' | 'ours-is-later';
      readonly isClear: boolean;
      readonly value: FieldValue;
      readonly before: FieldValue | undefined;
    }
  | {
      readonly kind: 'keep';
      readonly reason:
        | 'says-nothing'
        | 'target-owns'
        | 'only-theirs-changed'
        | 'theirs-is-later'
        /** Their change is newer than all we heard: its own event will decide, with its time. */
        | 'theirs-unheard';
    }
  | { readonly kind: 'no-op'; readonly reason: 'same-value' | 'nothing-to-clear' }
  | { readonly kind: 'review'; readonly reason: 'both-changed' }
);

export interface MergeQuestion {
  /** Per field, what the target last stored for us. A missing field: nothing known. */
  readonly base: Readonly<Record<string, Fingerprint>>;
  /** What the target holds now, read by id (a lagging search would look like a change). Null: no record there yet. */
  readonly theirs: Fields | null;
  /** What the entity wants there; a missing field says nothing, null clears. */
  readonly ours: Fields;
  readonly owners: Readonly<Record<string, FieldOwner>>;
  readonly types: Readonly<Record<string, FieldType>>;
  readonly targetSourceId: SourceId;
  /** When each side last changed the field, where known. */
  readonly oursChangedAtMs?: Readonly<Record<string, number>>;
  readonly theirsChangedAtMs?: Readonly<Record<string, number>>;
}

/** One decision per field of `ours`, in its order. */
export const decideMerge = (question: MergeQuestion): readonly FieldDecision[] =>
  Object.keys(question.ours).map((field) => decideField(field, question));

/** The fields to send, of a list of decisions. */
export const writesOf = (decisions: readonly FieldDecision[]): Fields =>
  Object.fromEntries(
    decisions.flatMap((decision) =>
      decision.kind === 'write' ? [[decision.field, decision.value] as const] : [],
    ),
  );

const decideField = (field: string, question: MergeQuestion): FieldDecision => {
  const { theirs, types, owners, targetSourceId } = question;
  const ours = canonical(types[field], question.ours[field]);
  if (ours === undefined) {
    return { field, rule: 'absence', kind: 'keep', reason: 'says-nothing' };
  }
  if (theirs === null) return decideNewRecord(field, ours);
  const before = canonical(types[field], theirs[field]);
  if (same(ours, before ?? null)) {
    const reason = ours === null ? 'nothing-to-clear' : 'same-value';
    return { field, rule: 'equal', kind: 'no-op', reason };
  }
  const write = { field, kind: 'write', isClear: ours === null, value: ours, before } as const;
  const owner = owners[field] ?? 'review';
  if (owner === targetSourceId) {
    return { field, rule: 'owner', kind: 'keep', reason: 'target-owns' };
  }
  if (owner === 'review' || owner === 'last-change') {
    return decideThreeWay(owner, write, question);
  }
  return { ...write, rule: 'owner', reason: 'owner-wins' };
};

const decideNewRecord = (field: string, ours: FieldValue): FieldDecision =>
  ours === null
    ? { field, rule: 'equal', kind: 'no-op', reason: 'nothing-to-clear' }
    : {
        field,
        rule: 'initial',
        kind: 'write',
        reason: 'new-record',
        isClear: false,
        value: ours,
        before: undefined,
      };

type Write = {
  readonly field: string;
  readonly kind: 'write';
  readonly isClear: boolean;
  readonly value: FieldValue;
  readonly before: FieldValue | undefined;
};

/** Neither side owns the field: whoever changed it since the base is right; both: by the rule. */
const decideThreeWay = (
  rule: 'review' | 'last-change',
  write: Write,
  question: MergeQuestion,
): FieldDecision => {
  const { field, value: ours } = write;
  const theirs = write.before ?? null;
  const base = question.base[field];
  // No base: the first meeting of two records. An empty field there is nobody's change.
  const theirsUnchanged =
    base === undefined ? theirs === null : fingerprintOfValue(theirs) === base;
  if (theirsUnchanged) return { ...write, rule, reason: 'only-ours-changed' };
  if (base !== undefined && fingerprintOfValue(ours) === base) {
    return { field, rule, kind: 'keep', reason: 'only-theirs-changed' };
  }
  if (rule === 'review') return { field, rule, kind: 'review', reason: 'both-changed' };
  const oursAtMs = question.oursChangedAtMs?.[field];
  const theirsAtMs = question.theirsChangedAtMs?.[field];
  if (oursAtMs !== undefined && theirsAtMs !== undefined) {
    return isLater({ atMs: oursAtMs, value: ours }, { atMs: theirsAtMs, value: theirs })
      ? { ...write, rule, reason: 'ours-is-later' }
      : { field, rule, kind: 'keep', reason: 'theirs-is-later' };
  }
  return base === undefined
    ? { ...write, rule, reason: 'ours-is-later' }
    : { field, rule, kind: 'keep', reason: 'theirs-unheard' };
};
