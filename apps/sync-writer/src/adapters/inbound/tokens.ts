import type { InboundMessage } from '@counterpart/platform-kafka';

export type BatchHandler = (batch: readonly InboundMessage[]) => Promise<void>;

export const KEEP_OPERATIONS = Symbol('keep-operations');
export const KEEP_REGISTRY = Symbol('keep-registry');
export const OPERATOR_READS = Symbol('operator-reads');
