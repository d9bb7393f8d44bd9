import { judgeProbe, type ProbeVerdict } from '@counterpart/crm-port';
import type { WriteEnding } from '../domain/settle-write.js';
import type { Ended, OpenSource, Sent, WriteContext } from './held-write.js';

/** Writes whose sender is gone, at a source where a look is proof once their settle time is over. */
export const probeLost = async (
  writes: readonly Sent[],
  source: OpenSource,
  context: WriteContext,
): Promise<readonly Ended[]> => {
  for (let lost = 0; lost < writes.length; lost += 1) context.metrics.claimTakenOver('probe');
  return probe(writes, source, context, (verdict) => ({
    kind: 'result',
    result: {
      kind: 'unknown',
      code: verdict.kind === 'unreadable' ? verdict.code : 'sender-lost',
    },
  }));
};

/**
 * Looks at once for creates that got no answer: mostly they were made. What is not there yet may
 * still come, so anything but a find leaves their outcome as it is, for after the settle time.
 */
export const probeUnanswered = (
  ended: readonly Ended[],
  source: OpenSource,
  context: WriteContext,
): Promise<readonly Ended[]> => {
  const endings = new Map(ended.map(({ held, ending }) => [held.token, ending]));
  const sent = ended.map(({ held, request }) => ({ ...held, request }));
  return probe(sent, source, context, (_verdict, { token }) => endings.get(token) ?? noVerdict);
};

const noVerdict: WriteEnding = {
  kind: 'result',
  result: { kind: 'unknown', code: 'probe-unanswered' },
};

/** `open` names the ending of a write of which the probe proved nothing. */
const probe = async (
  writes: readonly Sent[],
  source: OpenSource,
  context: WriteContext,
  open: (verdict: ProbeVerdict, write: Sent) => WriteEnding,
): Promise<readonly Ended[]> => {
  const first = writes[0];
  if (first === undefined) return [];
  const probedAtMs = context.clock.nowMs();
  const found = await source.adapter.probe(
    first.operation.recordType,
    writes.map(({ operation }) => ({
      marker: operation.entityId,
      fields: operation.fields,
      externalId: operation.externalId,
    })),
  );
  return writes.map((held, index) => {
    const { action, fields } = held.operation;
    const { request } = held;
    const { settleAtMs } = request;
    const result = found[index];
    const verdict =
      result === undefined ? null : judgeProbe({ action, fields, settleAtMs }, result, probedAtMs);
    const ending = verdict === null ? noVerdict : (provenEnding(verdict) ?? open(verdict, held));
    return { held, ending, request, provider: source.provider };
  });
};

const provenEnding = (verdict: ProbeVerdict): WriteEnding | null => {
  switch (verdict.kind) {
    case 'made':
      return { kind: 'read-back', record: verdict.record };
    case 'not-made':
      return { kind: 'not-done' };
    case 'ambiguous':
      return { kind: 'ambiguous' };
    case 'too-early':
    case 'unreadable':
      return null;
    default:
      return verdict satisfies never;
  }
};
