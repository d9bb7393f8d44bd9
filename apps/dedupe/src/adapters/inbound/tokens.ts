import type { InboundMessage } from '@counterpart/platform-kafka';

export type BatchHandler = (batch: readonly InboundMessage[]) => Promise<void>;

export const HANDLERS = Symbol('handlers');
export const OPERATOR_READS = Symbol('operator-reads');

/** One handler per topic that the service consumes. */
export interface Handlers {
  readonly events: BatchHandler;
  readonly writes: BatchHandler;
  readonly results: BatchHandler;
  readonly registry: BatchHandler;
}
