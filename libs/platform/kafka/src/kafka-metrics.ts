import { metrics } from '@counterpart/platform-telemetry';

export const messagesReceived = metrics.counter(
  'counterpart_kafka_messages_received_total',
  'Messages whose handler resolved.',
  ['topic', 'group'],
);
export const batchesReceived = metrics.counter(
  'counterpart_kafka_batches_received_total',
  'Handler calls, by how they ended.',
  ['topic', 'group', 'result'],
);
export const consumerLag = metrics.gauge(
  'counterpart_kafka_consumer_lag',
  'Messages of a partition behind the last batch that was fetched.',
  ['topic', 'partition', 'group'],
);
export const offsetsOutOfRange = metrics.counter(
  'counterpart_kafka_offsets_out_of_range_total',
  'Times a partition was read again from its oldest record because its next one was gone.',
  ['topic'],
);
export const messagesSent = metrics.counter(
  'counterpart_kafka_messages_sent_total',
  'Messages acknowledged by all in-sync replicas.',
  ['topic'],
);
export const sendsFailed = metrics.counter(
  'counterpart_kafka_sends_failed_total',
  'Produce requests given up, by the code of the failure.',
  ['code'],
);
