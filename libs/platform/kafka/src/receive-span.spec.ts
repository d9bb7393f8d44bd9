import { currentTraceparent, startTelemetry, withSpan } from '@counterpart/platform-telemetry';
import type { InboundMessage } from './messages.js';
import { traced } from './receive-span.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const message: InboundMessage = {
  topic: 't',
  partition: 0,
  offset: '0',
  key: '',
  value: Buffer.alloc(0),
  headers: { traceparent },
  timestampMs: 0,
};

test('a batch has a trace of its own; an event inside it goes on in its own trace', async () => {
  const telemetry = startTelemetry({ service: 'spec' });
  const seen: (string | undefined)[] = [];
  await traced('group', async ([first]) => {
    seen.push(currentTraceparent());
    await withSpan('process', { parent: first?.headers['traceparent'] }, () => {
      seen.push(currentTraceparent());
    });
  })([message]);
  expect(seen[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(seen[0]).not.toContain('0af7651916cd43dd8448eb211c80319c');
  expect(seen[1]).toContain('0af7651916cd43dd8448eb211c80319c');
  await telemetry.shutdown();
});

test('what the handler throws is thrown on', async () => {
  const handler = traced('group', () => Promise.reject(new Error('away')));
  await expect(handler([message])).rejects.toThrow('away');
});
