/** What the service consumes, produces and owns: plain data, checked against the code by a tool. */
export const flow = {
  service: 'reconciler',
  consumes: [
    'counterpart.source-registry.v1',
    'counterpart.unknown-operations.v1',
    'counterpart.sync-results.v1',
    'counterpart.dead-letters.v1',
  ],
  produces: ['counterpart.source-events.v1', 'counterpart.dead-letters.v1'],
  owns: ['reconcile'],
  group: 'counterpart-reconciler',
} as const;
