import { currentTraceparent, spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import type { Tracing } from '../../application/run-lanes.js';

/** A pass and its items as spans. Ids and counts only: nothing of a record leaves by this way. */
export const tracing: Tracing = {
  pass: (items, work) => {
    const [first, ...others] = items.flatMap(({ traceparent }) => traceparent ?? []);
    const tenantId = items[0]?.tenantId;
    return withSpan(
      'settle lanes',
      {
        kind: 'consumer',
        parent: first,
        links: others,
        attributes: {
          [spanAttributes.tenantId]: tenantId,
          [spanAttributes.laneCount]: items.length,
        },
      },
      work,
    );
  },
  ended: (item, ending) => {
    const pass = currentTraceparent();
    void withSpan(
      'settle',
      {
        parent: item.traceparent ?? undefined,
        links: pass === undefined ? [] : [pass],
        attributes: {
          [spanAttributes.tenantId]: item.tenantId,
          [spanAttributes.eventKey]: item.operation.event.eventKey,
          [spanAttributes.recordType]: item.operation.event.recordType,
          [spanAttributes.outcome]: ending.kind,
        },
      },
      () => Promise.resolve(),
    );
  },
};
