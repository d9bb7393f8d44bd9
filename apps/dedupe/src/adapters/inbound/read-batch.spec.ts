import type { InboundMessage } from '@counterpart/platform-kafka';
import { recordKey, type SourceEvent } from '@counterpart/sync-model';
import { faultOfEvent } from '../../domain/event-check.js';
import { anEvent } from '../../domain/testing-events.js';
import { readBatch } from './read-batch.js';

const topic = 'counterpart.source-events.v1';
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const message = (value: string, key: string, traceparent?: string): InboundMessage => ({
  topic,
  partition: 3,
  offset: '42',
  key,
  value: Buffer.from(value),
  headers: traceparent === undefined ? {} : { traceparent },
  timestampMs: 0,
});
/** JSON in place of Avro; what begins with `-` cannot be read. */
const codec = {
  decode: (_topic: string, value: Buffer) =>
    Promise.resolve(
      value.toString().startsWith('-')
        ? { ok: false as const, code: 'avro-truncated' as const, detail: 'too short' }
        : { ok: true as const, value: JSON.parse(value.toString()) as never },
    ),
};
const event = anEvent();
const sound = (traceparent?: string) =>
  message(JSON.stringify(event), recordKey(event), traceparent);
const read = (...batch: readonly InboundMessage[]) =>
  readBatch(codec, topic, batch, (value: SourceEvent, key) => faultOfEvent(value, key), 9);

test('what cannot be read or kept is parked, and its neighbours go on', async () => {
  const { arrived, parked } = await read(
    sound(trace),
    message('-', 'acme\u001fcrm', trace),
    message(JSON.stringify(event), 'globex\u001fother'),
    sound(),
  );
  expect(arrived).toEqual([
    { value: event, traceparent: trace },
    { value: event, traceparent: null },
  ]);
  expect(parked).toMatchObject([
    {
      traceparent: trace,
      value: {
        tenantId: 'acme',
        code: 'avro-truncated',
        caseClass: 'processing-failure',
        evidenceRef: `kafka:${topic}/3/42`,
        occurredAtMs: 9,
      },
    },
    { traceparent: null, value: { tenantId: 'globex', code: 'key-mismatch' } },
  ]);
});

test.each([[''], ['00-xyz'], [`${trace}\0`], ['x'.repeat(70_000)]])(
  'a header that is no trace goes nowhere: %#',
  async (traceparent) => {
    const { arrived } = await read(sound(traceparent));
    expect(arrived).toEqual([{ value: event, traceparent: null }]);
  },
);
