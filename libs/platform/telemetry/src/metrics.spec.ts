import { createMetrics } from './metrics.js';

test('asking twice for one name counts in one place', async () => {
  const metrics = createMetrics();
  metrics.counter('spec_total', 'help', ['outcome']).add({ outcome: 'applied' });
  metrics.counter('spec_total', 'help', ['outcome']).add({ outcome: 'applied' }, 2);
  expect(await metrics.render()).toContain('spec_total{outcome="applied"} 3');
});

test('past 500 combinations the rest counts as other', async () => {
  const metrics = createMetrics();
  const counter = metrics.counter('spec_total', 'help', ['code']);
  for (let n = 0; n < 700; n += 1) counter.add({ code: `c${n}` });
  const text = await metrics.render();
  expect(text.match(/spec_total\{/g)).toHaveLength(501);
  expect(text).toContain('spec_total{code="other"} 200');
});

test('gauges and histograms render', async () => {
  const metrics = createMetrics();
  metrics.gauge('spec_lag', 'help', ['topic']).set({ topic: 't' }, 4);
  metrics.histogram('spec_seconds', 'help', [], [1, 2]).observe({}, 1.5);
  const text = await metrics.render();
  expect(text).toContain('spec_lag{topic="t"} 4');
  expect(text).toContain('spec_seconds_bucket{le="2"} 1');
});
