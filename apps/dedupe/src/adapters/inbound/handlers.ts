import type { Codec } from '@counterpart/contracts';
import { handleSourceEvents } from '../../application/handle-source-events.js';
import type { GatePorts } from '../../application/ports.js';
import { faultOfEvent, faultOfResult, faultOfWriteMemory } from '../../domain/event-check.js';
import { readBatch } from './read-batch.js';
import type { BatchHandler, Handlers } from './tokens.js';

/** What becomes of a Kafka batch of each topic. A promise that resolves lets the offset go. */
export const createHandlers = (
  ports: GatePorts & {
    readonly codec: Pick<Codec, 'decode'>;
    /** Something was saved: the outbox may have rows. */
    readonly onSaved: () => void;
    readonly registry: BatchHandler;
  },
): Handlers => ({
  registry: ports.registry,
  async events(batch) {
    const topic = 'counterpart.source-events.v1';
    const read = await readBatch(ports.codec, topic, batch, faultOfEvent, ports.nowMs());
    await handleSourceEvents(read.arrived, read.parked, ports);
    ports.onSaved();
  },
  async writes(batch) {
    const topic = 'counterpart.write-memory.v1';
    const read = await readBatch(ports.codec, topic, batch, faultOfWriteMemory, ports.nowMs());
    await ports.store.remember(
      read.arrived.map(({ value }) => value),
      read.parked,
    );
    ports.onSaved();
  },
  async results(batch) {
    const topic = 'counterpart.sync-results.v1';
    const read = await readBatch(ports.codec, topic, batch, faultOfResult, ports.nowMs());
    await ports.store.settle(
      read.arrived.map(({ value }) => value),
      read.parked,
    );
    ports.onSaved();
  },
});
