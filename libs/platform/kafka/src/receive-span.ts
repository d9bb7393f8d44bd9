import { spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import { batchesReceived, messagesReceived } from './kafka-metrics.js';
import type { BatchHandler } from './stream-consumer.js';

/**
 * Runs the handler inside a span of its own trace that links to the traces of the messages: a batch
 * serves many traces and belongs to none. Spans for single events take a message's `traceparent`
 * as parent.
 */
export function traced(groupId: string, handler: BatchHandler): BatchHandler {
  return async (batch) => {
    const topic = batch[0]?.topic ?? '';
    const attributes = {
      [spanAttributes.messagingSystem]: 'kafka',
      [spanAttributes.messagingOperation]: 'receive',
      [spanAttributes.messagingDestination]: topic,
      [spanAttributes.messagingGroup]: groupId,
      [spanAttributes.messagingBatchCount]: batch.length,
    };
    const links = batch.map(({ headers }) => headers['traceparent']);
    const labels = { topic, group: groupId };
    try {
      await withSpan(`receive ${topic}`, { kind: 'consumer', root: true, attributes, links }, () =>
        handler(batch),
      );
    } catch (error) {
      batchesReceived.add({ ...labels, result: 'failed' });
      throw error;
    }
    batchesReceived.add({ ...labels, result: 'handled' });
    messagesReceived.add(labels, batch.length);
  };
}
