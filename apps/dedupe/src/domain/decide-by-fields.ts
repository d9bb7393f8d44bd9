import type { SourceEvent } from '@counterpart/sync-model';
import type { Decision, FieldVerdict, ForwardReason, SuppressedField } from './decision.js';
import { fieldVerdicts } from './field-verdicts.js';
import type { RecordMemory } from './record-memory.js';

/** Takes the fields that are old or our own out of an event, and forwards what is left. */
export const decideByFields = (event: SourceEvent, memory: RecordMemory): Decision => {
  const fields = fieldVerdicts(event, memory);
  if (hasVerdict(fields, 'clash')) {
    return event.provider === 'app'
      ? { kind: 'conflict', reason: 'same-revision-other-value' }
      : readInstead(event, fields, 'same-revision-read-truth');
  }
  if (hasVerdict(fields, 'doubtful')) {
    return readInstead(event, fields, 'own-earlier-value-read-truth');
  }
  const dropped = fields.filter((verdict) => isDropped(event, verdict));
  const isRevival = memory.head.tombstone !== null && revives(event);
  const isEmptied = dropped.length > 0 && dropped.length === fields.length;
  if (isEmptied && event.relations.length === 0 && !isRevival) return nothingLeft(dropped);
  return {
    kind: 'forward',
    reason: forwardReason(memory, isRevival, dropped),
    event: dropped.length > 0 ? without(event, dropped) : event,
    suppressed: dropped.map(asSuppressed),
    fields,
  };
};

/** Creation and restore bring a deleted record back, whatever becomes of their fields. */
const revives = (event: SourceEvent): boolean =>
  event.kind === 'created' || event.kind === 'restored';

/** A full state keeps what it merely repeats, so that it stays one where it can. */
const isDropped = (event: SourceEvent, { verdict }: FieldVerdict): boolean =>
  verdict === 'echo' || verdict === 'older' || (verdict === 'repeat' && event.shape === 'delta');

const forwardReason = (
  memory: RecordMemory,
  isRevival: boolean,
  dropped: readonly FieldVerdict[],
): ForwardReason => {
  if (isRevival) return 'revival';
  if (memory.head.tombstone !== null) return 'after-deletion';
  return dropped.length > 0 ? 'fields-suppressed' : 'new';
};

/** A full state with a hole is no full state: a missing field must not read as "cleared". */
const without = (event: SourceEvent, dropped: readonly FieldVerdict[]): SourceEvent => {
  const gone = new Set(dropped.map(({ field }) => field));
  return {
    ...event,
    shape: 'delta',
    fields: Object.fromEntries(Object.entries(event.fields).filter(([field]) => !gone.has(field))),
  };
};

const asSuppressed = ({ field, evidence }: FieldVerdict): SuppressedField => ({ field, evidence });

const hasVerdict = (fields: readonly FieldVerdict[], wanted: FieldVerdict['verdict']): boolean =>
  fields.some(({ verdict }) => verdict === wanted);

/** The event goes on as a hint. Only a CRM can be read; the app names itself as author anyway. */
const readInstead = (
  event: SourceEvent,
  fields: readonly FieldVerdict[],
  reason: 'same-revision-read-truth' | 'own-earlier-value-read-truth',
): Decision => ({
  kind: 'forward',
  reason,
  event: { ...event, shape: 'hint', fields: {} },
  suppressed: fields.map(asSuppressed),
  fields,
});

/** The outcome names the strongest ground: our own value, then age, then repetition. */
const nothingLeft = (dropped: readonly FieldVerdict[]): Decision => {
  const groundOf = (wanted: FieldVerdict['verdict']) =>
    dropped.find(({ verdict }) => verdict === wanted)?.evidence;
  const own = groundOf('echo');
  if (own !== undefined) {
    return { kind: 'echo', reason: 'own-values', evidence: own, fields: dropped };
  }
  const older = groundOf('older');
  if (older !== undefined) return { kind: 'stale', reason: 'older-fields', evidence: older };
  return { kind: 'no-op', reason: 'same-content', evidence: groundOf('repeat') ?? '' };
};
