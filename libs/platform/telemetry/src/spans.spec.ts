import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { spanAttributes } from './attributes.js';
import { withSpan } from './spans.js';
import type { Telemetry } from './start-telemetry.js';
import { startTelemetry } from './start-telemetry.js';
import { currentTraceparent } from './traceparent.js';

const exporter = new InMemorySpanExporter();
let telemetry: Telemetry;
const remote = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

beforeAll(() => {
  telemetry = startTelemetry({
    service: 'spec',
    processors: [new SimpleSpanProcessor(exporter)],
  });
});
afterAll(() => telemetry.shutdown());
beforeEach(() => exporter.reset());

const finished = (name: string) => {
  const span = exporter.getFinishedSpans().find((one) => one.name === name);
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
};

test('a stored traceparent is continued across an await, and the child tells its own', async () => {
  const inside = await withSpan('outer', { parent: remote }, async () => {
    await Promise.resolve();
    return withSpan('inner', {}, () => currentTraceparent());
  });
  expect(inside).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  expect(finished('outer').parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  expect(finished('inner').parentSpanContext?.spanId).toBe(finished('outer').spanContext().spanId);
  expect(currentTraceparent()).toBeUndefined();
});

test.each(['', 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined])(
  'a traceparent that is none (%p) starts a new trace',
  async (parent) => {
    const own = await withSpan('fresh', { parent }, (span) => span.traceparent);
    expect(own).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(own).not.toContain('00000000000000000000000000000000');
  },
);

test('a root span leaves the active trace, links keep at most 128 valid traceparents', async () => {
  const links = ['junk', undefined, ...Array.from({ length: 140 }, () => remote)];
  await withSpan('active', {}, () => withSpan('flush', { root: true, links }, () => undefined));
  expect(finished('flush').parentSpanContext).toBeUndefined();
  expect(finished('flush').links).toHaveLength(128);
});

test('only listed attributes leave, and an error shows its type, never its text', async () => {
  const plain: Record<string, unknown> = { [spanAttributes.outcome]: 'applied', email: 'a@b.c' };
  const failing = withSpan('broken', {}, (span) => {
    span.setAttributes(plain);
    throw Object.assign(new TypeError('ada@example.com is taken'), { code: 'X1' });
  });
  await expect(failing).rejects.toThrow('is taken');
  expect(finished('broken').attributes).toEqual({
    'counterpart.outcome': 'applied',
    'error.type': 'TypeError:X1',
  });
  expect(finished('broken').events).toEqual([]);
});
