import { spanAttributes, withSpan, type SpanHandle } from '@counterpart/platform-telemetry';
import type { SourceEvent } from '@counterpart/sync-model';
import type { Arrived, DecisionMarks } from '../../application/ports.js';
import type { Decision } from '../../domain/decision.js';

/**
 * A span `decide` in the trace of each event, from its arrival to the commit. It is opened first,
 * since the next service goes on from it, and is told the decision last.
 */
export const markDecisions = (arrived: readonly Arrived<SourceEvent>[]): DecisionMarks => {
  let end: DecisionMarks['end'] = () => undefined;
  const decided = new Promise<readonly Decision[]>((resolve) => {
    end = resolve;
  });
  const traceparents = arrived.map(({ traceparent }) => traceparent);
  arrived.forEach(({ value, traceparent }, index) => {
    if (traceparent === null) return;
    void withSpan('decide', optionsOf(value, traceparent), async (span) => {
      traceparents[index] = span.traceparent ?? traceparent;
      tell(span, (await decided)[index]);
    });
  });
  return { traceparents, end };
};

const optionsOf = (event: SourceEvent, parent: string) => ({
  kind: 'consumer' as const,
  parent,
  attributes: {
    [spanAttributes.tenantId]: event.tenantId,
    [spanAttributes.sourceId]: event.sourceId,
    [spanAttributes.recordType]: event.recordType,
    [spanAttributes.eventKey]: event.eventKey,
    [spanAttributes.eventKind]: event.kind,
    [spanAttributes.eventShape]: event.shape,
  },
});

const tell = (span: SpanHandle, decision: Decision | undefined): void =>
  span.setAttributes({
    [spanAttributes.decision]: decision?.kind ?? 'not-kept',
    [spanAttributes.reason]: decision?.reason,
  });
