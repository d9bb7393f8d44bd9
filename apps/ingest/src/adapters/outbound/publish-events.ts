import type { Codec } from '@counterpart/contracts';
import type { StreamProducer } from '@counterpart/platform-kafka';
import { currentTraceparent } from '@counterpart/platform-telemetry';
import { recordKey, type SourceEvent } from '@counterpart/sync-model';

const topic = 'counterpart.source-events.v1';

/** Resolves when the broker has acknowledged every event. Requests in flight share one send. */
export const createPublisher =
  (codec: Codec, producer: StreamProducer) =>
  async (events: readonly SourceEvent[]): Promise<void> => {
    const traceparent = currentTraceparent();
    await producer.send(
      events.map((event) => ({
        topic,
        key: recordKey(event),
        value: codec.encode(topic, event),
        headers: {
          'message-id': event.eventKey,
          ...(traceparent === undefined ? {} : { traceparent }),
        },
      })),
    );
  };
