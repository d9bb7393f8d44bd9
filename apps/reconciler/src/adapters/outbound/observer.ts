import { metrics, spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import type { ReadbackObserver } from '../../application/ports.js';

const verdicts = metrics.counter('readback_verdicts_total', 'Readbacks by what they found.', [
  'provider',
  'verdict',
]);

/** Two records with one match key: what must never happen. Any value above 0 is an alarm. */
const duplicates = metrics.counter(
  'duplicates_detected_total',
  'Readbacks that found several records for one write.',
  ['provider'],
);

/**
 * A probe is one span that continues the trace of its first operation and links to the others';
 * its calls to the CRM lie below it.
 */
export const readbackObserver: ReadbackObserver = {
  probe: (readbacks, work) => {
    const [first] = readbacks;
    const [parent, ...links] = readbacks.flatMap(({ traceparent }) => traceparent ?? []);
    return withSpan(
      'probe',
      {
        parent,
        links,
        root: parent === undefined,
        attributes: {
          [spanAttributes.tenantId]: first?.tenantId,
          [spanAttributes.sourceId]: first?.sourceId,
          [spanAttributes.recordType]: first?.recordType,
          [spanAttributes.operationId]: first?.operationId,
          [spanAttributes.itemCount]: readbacks.length,
        },
      },
      work,
    );
  },
  ended: ({ provider }, verdict) => {
    verdicts.add({ provider, verdict });
    if (verdict === 'ambiguous') duplicates.add({ provider });
  },
};
