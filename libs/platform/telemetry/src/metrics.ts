import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/**
 * Labels a metric may have. All have few values by nature; a tenant, a source, a record or an
 * operation is never a label, because each new value is a new series that lives for ever.
 */
export const metricLabels = [
  'topic',
  'partition',
  'group',
  'provider',
  'operation',
  'outcome',
  'reason',
  'evidence',
  'code',
  'kind',
  'state',
  'stage',
  'verdict',
  'case_class',
  'scope',
  'method',
  'route',
  'status',
  'result',
] as const;
export type MetricLabel = (typeof metricLabels)[number];
type Labels<L extends MetricLabel> = Readonly<Record<L, string | number>>;

export interface CounterMetric<L extends MetricLabel> {
  add(labels: Labels<L>, by?: number): void;
}
export interface GaugeMetric<L extends MetricLabel> {
  set(labels: Labels<L>, value: number): void;
}
export interface HistogramMetric<L extends MetricLabel> {
  observe(labels: Labels<L>, value: number): void;
}

const seriesMax = 500;
const otherValue = 'other';
const secondsBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Past the limit, every further combination counts as `other`: the total stays right. */
function boundedLabels<L extends MetricLabel>(
  names: readonly L[],
): (labels: Labels<L>) => Labels<L> {
  const seen = new Set<string>();
  const other = Object.fromEntries(names.map((name) => [name, otherValue])) as Labels<L>;
  return (labels) => {
    const key = names.map((name) => String(labels[name])).join('\u001f');
    if (seen.has(key)) return labels;
    if (seen.size >= seriesMax) return other;
    seen.add(key);
    return labels;
  };
}

export interface Metrics {
  /** A count that only grows. Asking twice for one name gives the same metric. */
  counter<const L extends MetricLabel>(
    name: string,
    help: string,
    labels: readonly L[],
  ): CounterMetric<L>;
  gauge<const L extends MetricLabel>(
    name: string,
    help: string,
    labels: readonly L[],
  ): GaugeMetric<L>;
  /** A distribution; the buckets suit seconds unless others are given. */
  histogram<const L extends MetricLabel>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets?: readonly number[],
  ): HistogramMetric<L>;
  /** The Prometheus text of all metrics. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** A registry of its own, with memory, CPU and event loop if asked. A process uses the one below; tests may want a fresh one. */
export function createMetrics(options: { readonly processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });
  const made = new Map<string, unknown>();
  const once = <T>(name: string, make: () => T): T => {
    const found = made.get(name);
    if (found !== undefined) return found as T;
    const metric = make();
    made.set(name, metric);
    return metric;
  };
  const base = (name: string, help: string, labelNames: readonly string[]) => ({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });
  return {
    counter: (name, help, labels) =>
      once(name, () => {
        const counter = new Counter(base(name, help, labels));
        const bounded = boundedLabels(labels);
        return { add: (values, by = 1) => counter.inc({ ...bounded(values) }, by) };
      }),
    gauge: (name, help, labels) =>
      once(name, () => {
        const gauge = new Gauge(base(name, help, labels));
        const bounded = boundedLabels(labels);
        return { set: (values, value) => gauge.set({ ...bounded(values) }, value) };
      }),
    histogram: (name, help, labels, buckets = secondsBuckets) =>
      once(name, () => {
        const histogram = new Histogram({ ...base(name, help, labels), buckets: [...buckets] });
        const bounded = boundedLabels(labels);
        return { observe: (values, value) => histogram.observe({ ...bounded(values) }, value) };
      }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** The registry of this process. */
export const metrics: Metrics = createMetrics({ processMetrics: true });

/** The text that `/metrics` answers. */
export const renderMetrics = (): Promise<string> => metrics.render();
