/** What the service consumes, produces and owns: plain data, checked against the code by a tool. */
export const flow = {
  service: 'dedupe',
  consumes: [
    'counterpart.source-registry.v1',
    'counterpart.source-events.v1',
    'counterpart.write-memory.v1',
    'counterpart.sync-results.v1',
  ],
  produces: ['counterpart.sync-operations.v1', 'counterpart.dead-letters.v1'],
  owns: ['dedupe'],
  group: 'counterpart-dedupe',
} as const;
