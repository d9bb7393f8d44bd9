export { appendOutbox } from './append.js';
export { OUTBOX_BUCKETS } from './buckets.js';
export { countOutbox } from './outbox-table.js';
export { createRelay, type OutboxRelay, type RelayOptions } from './relay.js';
export type { OutboxMessage, OutboxProducer } from './outbox-message.js';
