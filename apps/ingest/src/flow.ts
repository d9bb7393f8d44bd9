/** What the service consumes, produces and owns: plain data, checked against the code by a tool. */
export const flow = {
  service: 'ingest',
  consumes: ['counterpart.source-registry.v1'],
  produces: ['counterpart.source-events.v1'],
  owns: ['ingest'],
  group: 'counterpart-ingest',
} as const;
