import type { CrmAdapter } from '@counterpart/crm-port';
import { fingerprintOfValue, type Fields } from '@counterpart/sync-model';
import { settleSpanMs } from '../domain/claim.js';
import type { WriteEnding } from '../domain/settle-write.js';
import type { Ended, Held, OpenSource, WriteContext } from './write-needs.js';

/** Looks for the result of writes whose sender is gone or got no answer, where a look is proof. */
export const probe = async (
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

const holds = (stored: Fields, sent: Fields): boolean =>
  Object.entries(sent).every(
    ([field, value]) => fingerprintOfValue(stored[field] ?? null) === fingerprintOfValue(value),
  );
