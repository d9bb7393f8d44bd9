/**
 * Every span attribute the project uses, in one file, because the messaging conventions of
 * OpenTelemetry are still changing and because this list is also what may leave the process:
 * nothing that can hold a payload, a person's address or a token is on it.
 *
 * Names of our own begin with `counterpart.`; the others are OpenTelemetry's.
 */
export const spanAttributes = {
  tenantId: 'counterpart.tenant.id',
  sourceId: 'counterpart.source.id',
  provider: 'counterpart.provider',
  recordType: 'counterpart.record.type',
  externalId: 'counterpart.record.external_id',
  entityId: 'counterpart.entity.id',
  operationId: 'counterpart.operation.id',
  operationVersion: 'counterpart.operation.version',
  eventKey: 'counterpart.event.key',
  eventKind: 'counterpart.event.kind',
  eventShape: 'counterpart.event.shape',
  decision: 'counterpart.decision',
  outcome: 'counterpart.outcome',
  reason: 'counterpart.reason',
  evidence: 'counterpart.evidence',
  verdict: 'counterpart.verdict',
  attemptNumber: 'counterpart.attempt.number',
  waitMs: 'counterpart.wait.ms',
  dueInMs: 'counterpart.due_in.ms',
  itemCount: 'counterpart.item.count',
  laneCount: 'counterpart.lane.count',
  caseClass: 'counterpart.case.class',
  claimState: 'counterpart.claim.state',
  backfill: 'counterpart.backfill',

  crmOperation: 'crm.operation',
  crmObject: 'crm.object',
  crmCreatePath: 'crm.create_path',
  crmResult: 'crm.result',
  crmScope: 'crm.quota.scope',
  crmRetryAfterMs: 'crm.retry_after.ms',

  messagingSystem: 'messaging.system',
  messagingOperation: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  messagingDestination: 'messaging.destination.name',
  messagingPartition: 'messaging.destination.partition.id',
  messagingGroup: 'messaging.consumer.group.name',
  messagingBatchCount: 'messaging.batch.message_count',
  messagingOffset: 'messaging.kafka.offset',

  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  serverAddress: 'server.address',
  serverPort: 'server.port',

  dbSystem: 'db.system.name',
  dbNamespace: 'db.namespace',
  dbOperation: 'db.operation.name',

  errorType: 'error.type',
  serviceName: 'service.name',
} as const;

export type SpanAttributeName = (typeof spanAttributes)[keyof typeof spanAttributes];
export type SpanAttributeValue = string | number | boolean;
/** Attributes by their names above; an undefined value is left out. */
export type SpanAttributes = Readonly<
  Partial<Record<SpanAttributeName, SpanAttributeValue | undefined>>
>;

const allowed: ReadonlySet<string> = new Set(Object.values(spanAttributes));
const valueCharsMax = 256;

/**
 * Returns a copy that holds only listed names and plain values, strings cut to 256 characters.
 * The types already say so; this also holds for attributes that arrive as plain records.
 */
export function keepAllowed(
  attributes: Readonly<Record<string, unknown>>,
): Record<string, SpanAttributeValue> {
  const kept: Record<string, SpanAttributeValue> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!allowed.has(name)) continue;
    if (typeof value === 'string') kept[name] = value.slice(0, valueCharsMax);
    else if (typeof value === 'boolean') kept[name] = value;
    else if (typeof value === 'number' && Number.isFinite(value)) kept[name] = value;
  }
  return kept;
}
