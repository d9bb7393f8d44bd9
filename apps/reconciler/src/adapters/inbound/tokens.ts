import type { InboundMessage } from '@counterpart/platform-kafka';

/** Receives one Kafka batch; when it resolves the batch's offsets are committed. */
export type BatchHandler = (batch: readonly InboundMessage[]) => Promise<void>;

export const FOLLOW_UNKNOWN_OPERATIONS = Symbol('follow-unknown-operations');
export const FOLLOW_RESULTS = Symbol('follow-results');
export const FOLLOW_DEAD_LETTERS = Symbol('follow-dead-letters');
export const FOLLOW_REGISTRY = Symbol('follow-registry');
export const OPERATOR_READS = Symbol('operator-reads');
