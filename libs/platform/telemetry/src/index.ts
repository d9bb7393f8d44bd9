export type { SpanAttributeName, SpanAttributeValue, SpanAttributes } from './attributes.js';
export { keepAllowed, spanAttributes } from './attributes.js';
export { currentTraceparent } from './traceparent.js';
export type { SpanHandle, SpanKindName, SpanOptions } from './spans.js';
export { withSpan } from './spans.js';
export type { Telemetry, TelemetryOptions } from './start-telemetry.js';
export { startTelemetry } from './start-telemetry.js';
export type { LogFieldName, LogFields, LogValue } from './log-fields.js';
export { maskText } from './log-fields.js';
export type { LogLevel, Logger, LoggerOptions } from './logger.js';
export { createLogger, silentLogger } from './logger.js';
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricLabel,
  Metrics,
} from './metrics.js';
export { createMetrics, metricLabels, metrics, renderMetrics } from './metrics.js';
