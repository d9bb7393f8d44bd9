/** What the service consumes, produces and owns: plain data, checked against the code by a tool. */
export const flow = {
  service: 'sync-writer',
  consumes: ['counterpart.source-registry.v1', 'counterpart.sync-operations.v1'],
  produces: [
    'counterpart.sync-results.v1',
    'counterpart.entity-changes.v1',
    'counterpart.mappings.v1',
    'counterpart.write-memory.v1',
    'counterpart.unknown-operations.v1',
    'counterpart.dead-letters.v1',
  ],
  owns: ['sync'],
  group: 'counterpart-sync-writer',
} as const;
