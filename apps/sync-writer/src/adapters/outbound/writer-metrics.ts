import { metrics } from '@counterpart/platform-telemetry';
import type { WriterMetrics } from '../../application/ports.js';

const settled = metrics.counter('writer_operations_total', 'Operations by how they ended.', [
  'outcome',
]);
const refused = metrics.counter(
  'writer_fence_refused_total',
  'Endings of holders that were overtaken.',
  [],
);
const takenOver = metrics.counter(
  'writer_claims_taken_over_total',
  'Claims of senders that were lost.',
  ['kind'],
);

export const writerMetrics: WriterMetrics = {
  settled: (outcome) => settled.add({ outcome }),
  fenceRefused: (count) => refused.add({}, count),
  claimTakenOver: (kind) => takenOver.add({ kind }),
};
