import { canonicalText, type CanonicalValue } from './canonical-text.js';
import type { FieldValue } from './fields.js';
import { hash128 } from './hash.js';
import { asFingerprint, type Fingerprint } from './ids.js';
import type { Relation, SourceEvent } from './source-event.js';

/** Fingerprint of one canonical field value; a cleared field (null) has one of its own. */
export const fingerprintOfValue = (value: FieldValue): Fingerprint =>
  asFingerprint(hash128(canonicalText(value)));

/** The parts of an event that make its payload: another value in any of them is another payload. */
export type EventPayload = Pick<
  SourceEvent,
  'kind' | 'shape' | 'fields' | 'relations' | 'revision'
> &
  Partial<Pick<SourceEvent, 'merge' | 'readback'>>;

/**
 * Fingerprint of an event's payload. The record and the event key are not part of it: it answers
 * "is this the same statement", asked only about two events of one key or one record. Times of
 * delivery are left out, since every redelivery has its own.
 */
export const fingerprintOfEvent = (parts: EventPayload): Fingerprint => {
  const { kind, shape, fields, revision, merge, readback } = parts;
  return asFingerprint(
    hash128(
      canonicalText({
        kind,
        shape,
        fields,
        relations: parts.relations.map(relationParts),
        revision,
        merge: merge ? { survivor: merge.survivorId, losers: merge.loserIds } : undefined,
        readback: readback ? { ...readback } : undefined,
      }),
    ),
  );
};

const relationParts = (relation: Relation): CanonicalValue => ({
  role: relation.role,
  recordType: relation.recordType,
  externalId: relation.externalId,
  fields: relation.fields,
  relations: relation.relations.map(relationParts),
});

/**
 * Fingerprint of a record's content as a snapshot states it: fields and relations, without the
 * revision and without the verb, so that "created" and "changed" with one content are equal.
 */
export const fingerprintOfContent = (
  parts: Pick<SourceEvent, 'fields' | 'relations'>,
): Fingerprint =>
  asFingerprint(
    hash128(canonicalText({ fields: parts.fields, relations: parts.relations.map(relationParts) })),
  );
