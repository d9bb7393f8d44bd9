import type { FindResult, WriteResult } from '@counterpart/crm-port';
import type { EvidenceClass } from '@counterpart/sync-model';
import { baseOfAdopted } from '../domain/plan-target.js';
import type { WriteEnding } from '../domain/settle-write.js';
import { targetPolicy } from '../domain/target-policy.js';
import type { Ended, Held, OpenSource, WriteContext } from './held-write.js';

/**
 * Records that were there before us. Where a CRM enforces nothing, a look before the create finds
 * them; where it enforces uniqueness, its refusal of the create names them. Either way the record
 * takes the place of the one we meant to create, and the merge decides what of ours it shows.
 */
export const findExisting = async (
  writes: readonly Held[],
  source: OpenSource,
  context: WriteContext,
): Promise<{ readonly endings: readonly Ended[]; readonly absent: readonly Held[] }> => {
  const creates = writes.filter(({ operation }) => operation.action === 'create');
  if (!source.capabilities.findBeforeCreate || creates.length === 0)
    return { endings: [], absent: writes };
  const recordType = creates[0]?.operation.recordType ?? '';
  const found = await source.adapter.find(recordType, creates.map(itemOf));
  // Nothing was sent, so nothing can be unknown.
  const nowMs = context.clock.nowMs();
  const request = { sentAtMs: nowMs, settleAtMs: nowMs };
  const endings: Ended[] = [];
  const absent: Held[] = writes.filter(({ operation }) => operation.action !== 'create');
  creates.forEach((held, index) => {
    const ending = foundEnding(held, found[index], 'readback', context);
    if (ending === null) absent.push(held);
    else endings.push({ held, ending, request, provider: source.provider });
  });
  return { endings, absent };
};

/** Turns "already exists" into an adoption, with one read for all of a batch. */
export const endCreates = async (
  writes: readonly Held[],
  results: ReadonlyMap<string, WriteResult>,
  source: OpenSource,
  context: WriteContext,
): Promise<readonly { readonly held: Held; readonly ending: WriteEnding }[]> => {
  const unanswered: WriteResult = { kind: 'unknown', code: 'no-verdict' };
  const all = writes.map((held) => ({ held, result: results.get(held.token) ?? unanswered }));
  const taken = all.filter(
    ({ held, result }) =>
      held.operation.action === 'create' &&
      result.kind === 'refused' &&
      result.code === 'already-exists',
  );
  const there = await readTaken(taken, source);
  return all.map(({ held, result }) => {
    const found = there.get(held.token);
    const ending =
      found === undefined ? null : foundEnding(held, found, 'conflict-answer', context);
    return { held, ending: ending ?? { kind: 'result', result } };
  });
};

const readTaken = async (
  taken: readonly { readonly held: Held; readonly result: WriteResult }[],
  { adapter }: OpenSource,
): Promise<ReadonlyMap<string, FindResult>> => {
  const recordType = taken[0]?.held.operation.recordType ?? '';
  const named = taken.flatMap(({ held, result }) =>
    result.kind === 'refused' && result.existingId !== null
      ? [{ held, id: result.existingId }]
      : [],
  );
  const unnamed = taken.filter(
    ({ result }) => result.kind === 'refused' && result.existingId === null,
  );
  const [byId, byKey] = await Promise.all([
    named.length === 0
      ? []
      : adapter.read(
          recordType,
          named.map(({ id }) => id),
        ),
    unnamed.length === 0
      ? []
      : adapter.find(
          recordType,
          unnamed.map(({ held }) => itemOf(held)),
        ),
  ]);
  const entries: [string, FindResult][] = [];
  named.forEach(({ held }, index) => {
    const found = byId[index];
    if (found) entries.push([held.token, found]);
  });
  unnamed.forEach(({ held }, index) => {
    const found = byKey[index];
    if (found) entries.push([held.token, found]);
  });
  return new Map(entries);
};

const itemOf = (held: Held) => ({
  marker: held.operation.entityId,
  fields: held.operation.fields,
});

/** Null: nothing is there, the create may go out. */
const foundEnding = (
  held: Held,
  found: FindResult | undefined,
  evidence: EvidenceClass,
  context: WriteContext,
): WriteEnding | null => {
  if (found === undefined)
    return { kind: 'result', result: { kind: 'unsent', code: 'find-unanswered' } };
  switch (found.kind) {
    case 'found':
      // A record in the recycle bin holds the address; only a person may bring it back.
      if (found.record.archived)
        return { kind: 'held', reason: 'address-held-by-a-deleted-record' };
      return {
        kind: 'adopt',
        record: found.record,
        base: baseOfAdopted(
          held.entity,
          found.record.stored,
          targetPolicy(context.plan, held.need),
        ),
        evidence,
      };
    case 'ambiguous':
      return { kind: 'ambiguous' };
    case 'unreadable':
      return {
        kind: 'result',
        result:
          found.retryAtMs === null
            ? { kind: 'unsent', code: found.code }
            : { kind: 'throttled', retryAtMs: found.retryAtMs, code: found.code },
      };
    case 'absent':
      // After a refusal that named it, absence means it went meanwhile: try again later.
      return evidence === 'conflict-answer'
        ? { kind: 'result', result: { kind: 'unsent', code: 'conflicting-record-vanished' } }
        : null;
    default:
      return found satisfies never;
  }
};
