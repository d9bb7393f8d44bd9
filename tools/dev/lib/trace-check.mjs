/** Decides, from a trace as Jaeger's API gives it, whether one change was followed all the way. */

/** What one change passes through, as `service: beginning of the span's name`. */
export const STATIONS = [
  ['ingest', 'POST /v1/tenants/'],
  ['dedupe', 'decide'],
  ['sync-writer', 'settle lanes'],
  ['sync-writer', 'crm.call'],
];

/** `{service, name, parent, depth, tookMs}` per span, parents before their children, by time. */
export function spansOf(trace) {
  const services = trace.processes;
  const spans = trace.spans.map((span) => ({
    id: span.spanID,
    service: services[span.processID].serviceName,
    name: span.operationName,
    parent: span.references?.find(({ refType }) => refType === 'CHILD_OF')?.spanID,
    startUs: span.startTime,
    tookMs: span.duration / 1000,
  }));
  const byStart = [...spans].sort((a, b) => a.startUs - b.startUs);
  const known = new Set(spans.map(({ id }) => id));
  const below = (id, depth) =>
    byStart
      .filter(({ parent }) => parent === id)
      .flatMap((span) => [{ ...span, depth }, ...below(span.id, depth + 1)]);
  const roots = byStart.filter(({ parent }) => parent === undefined || !known.has(parent));
  return roots.flatMap((span) => [{ ...span, depth: 0 }, ...below(span.id, 1)]);
}

/** Stations that no span of the trace stands for, and CRM calls that hang under none of them. */
export function missingStations(spans) {
  return STATIONS.filter(
    ([service, name]) =>
      !spans.some((span) => span.service === service && span.name.startsWith(name)),
  ).map(([service, name]) => `${service}: ${name}`);
}

/** The trace as indented text. */
export function traceText(spans) {
  return spans
    .map(
      ({ service, name, depth, tookMs }) =>
        `${'  '.repeat(depth)}${service.padEnd(12)} ${name}  ${tookMs.toFixed(1)} ms`,
    )
    .join('\n');
}
