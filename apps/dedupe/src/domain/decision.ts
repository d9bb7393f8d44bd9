import type { Fingerprint, SourceEvent } from '@counterpart/sync-model';

/** What the gate found about one field of an event. */
export interface FieldVerdict {
  readonly field: string;
  readonly fingerprint: Fingerprint;
  /** `clash`: another value under a known revision. `doubtful`: a value that we have replaced since. */
  readonly verdict: 'real' | 'echo' | 'older' | 'repeat' | 'clash' | 'doubtful';
  /** What the verdict rests on: `operation:<id>`, `revision:<known>`; empty for a real change. */
  readonly evidence: string;
}

/** A field that was taken out of an event, and why. */
export interface SuppressedField {
  readonly field: string;
  readonly evidence: string;
}

export type ForwardReason =
  | 'new'
  | 'readback'
  | 'merge'
  | 'deletion'
  | 'revival'
  | 'after-deletion'
  | 'fields-suppressed'
  /** Two values under one revision: the event goes on as a hint, so that the truth is read. */
  | 'same-revision-read-truth'
  /** A late echo of an earlier write, or a person going back to it: only a read can tell. */
  | 'own-earlier-value-read-truth';
export type StaleReason =
  'older-revision' | 'older-fields' | 'before-deletion' | 'before-restore' | 'snapshot-is-newer';
export type EchoReason = 'own-marker' | 'own-deletion' | 'own-values';
export type NoOpReason = 'same-content' | 'already-deleted';
export type ConflictReason =
  | 'event-key-other-payload'
  | 'event-key-other-record'
  | 'same-revision-other-content'
  | 'same-revision-other-value';

/** The gate's answer to one event. `evidence` is for people, and never holds a value. */
export type Decision =
  | {
      readonly kind: 'forward';
      readonly reason: ForwardReason;
      /** The event as it goes on, without the suppressed fields. */
      readonly event: SourceEvent;
      readonly suppressed: readonly SuppressedField[];
      readonly fields: readonly FieldVerdict[];
    }
  | { readonly kind: 'duplicate'; readonly reason: 'first-delivery-settled' }
  | { readonly kind: 'held'; readonly reason: 'first-delivery-unsettled' }
  | { readonly kind: 'conflict'; readonly reason: ConflictReason }
  | { readonly kind: 'stale'; readonly reason: StaleReason; readonly evidence: string }
  | {
      readonly kind: 'echo';
      readonly reason: EchoReason;
      readonly evidence: string;
      readonly fields: readonly FieldVerdict[];
    }
  | { readonly kind: 'no-op'; readonly reason: NoOpReason; readonly evidence: string }
  | {
      readonly kind: 'superseded';
      readonly reason: 'covered-by-earlier-hint';
      readonly evidence: string;
    };
