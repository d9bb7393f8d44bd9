import {
  asEntityId,
  asEventKey,
  asExternalId,
  asFingerprint,
  asOperationId,
  asSourceId,
  asTenantId,
  outcomes,
} from '@counterpart/sync-model';
import type { SourceEvent } from '@counterpart/sync-model';
import type { TopicName, TopicValue } from '../topics.js';

const ids = {
  tenantId: asTenantId('acme'),
  sourceId: asSourceId('crm'),
  recordType: 'contact',
  externalId: asExternalId('501'),
};
const entity = { entityId: asEntityId('6a9b'), entityType: 'contact' };
const operationId = asOperationId('0f31');
const eventKey = asEventKey('77aa');

const smallEvent: SourceEvent = {
  ...ids,
  eventKey,
  provider: 'hubspot',
  kind: 'changed',
  shape: 'hint',
  fields: {},
  relations: [],
  revision: null,
  occurredAtMs: 0,
  receivedAtMs: 0,
  origin: 'unknown',
  originDetail: '',
  fingerprint: asFingerprint('00'),
  merge: null,
  readback: null,
  backfill: false,
};

const fullEvent: SourceEvent = {
  ...smallEvent,
  kind: 'merged',
  shape: 'snapshot',
  fields: { email: 'ada@example.com', score: -1.5, vip: true, phone: null, ünïcode: '\u{1f680}' },
  relations: [
    {
      role: 'attendee',
      recordType: 'contact',
      externalId: null,
      fields: { email: 'bob@example.com' },
      relations: [
        {
          role: 'company',
          recordType: 'company',
          externalId: asExternalId('c-1'),
          fields: { domain: 'example.com' },
          relations: [],
        },
      ],
    },
  ],
  revision: '9007199254740993',
  occurredAtMs: 1_796_000_000_123,
  receivedAtMs: 1_796_000_000_456,
  origin: 'ours',
  originDetail: 'INTEGRATION:456',
  merge: { survivorId: asExternalId('9'), loserIds: [asExternalId('7'), asExternalId('8')] },
  readback: {
    operationId,
    operationVersion: 2,
    verdict: 'ambiguous',
    externalId: asExternalId('12'),
    stored: { email: null, amount: 12 },
  },
  backfill: true,
};

/** A smallest and a fullest value of every topic, for specs. */
export const examples: { readonly [T in TopicName]: readonly TopicValue<T>[] } = {
  'counterpart.source-registry.v1': [
    { tenantId: ids.tenantId, version: 0, planJson: '', publishedAtMs: 0 },
    { tenantId: ids.tenantId, version: 1_796_000_000_123, planJson: '{"a":1}', publishedAtMs: 5 },
  ],
  'counterpart.source-events.v1': [smallEvent, fullEvent],
  'counterpart.sync-operations.v1': [
    { event: smallEvent, gate: { reason: 'new', suppressed: [], decidedAtMs: 0 } },
    {
      event: fullEvent,
      gate: {
        reason: 'partly-echo',
        suppressed: [{ field: 'phone', evidence: 'write-memory' }],
        decidedAtMs: 1_796_000_000_789,
      },
    },
  ],
  'counterpart.write-memory.v1': [
    { ...ids, operationId, kind: 'deleted', fields: {}, writtenAtMs: 0 },
    {
      ...ids,
      operationId,
      kind: 'written',
      fields: { email: asFingerprint('ab') },
      writtenAtMs: 9,
    },
  ],
  'counterpart.sync-results.v1': outcomes.map((outcome, at) => ({
    ...entity,
    messageId: 'm-1',
    tenantId: ids.tenantId,
    operationId,
    operationVersion: at,
    eventKey,
    originSourceId: asSourceId('app'),
    targetSourceId: ids.sourceId,
    recordType: 'contact',
    externalId: at % 2 === 0 ? null : ids.externalId,
    outcome,
    reason: 'because',
    evidence: 'crm-answer',
    attempts: 2,
    occurredAtMs: 1_796_000_000_123,
  })),
  'counterpart.entity-changes.v1': [
    {
      ...entity,
      messageId: 'm-2',
      tenantId: ids.tenantId,
      change: 'merged',
      version: 1,
      fields: {},
      mergedInto: asEntityId('e-2'),
      originSourceId: ids.sourceId,
      eventKey,
      occurredAtMs: 1,
    },
    {
      ...entity,
      messageId: 'm-3',
      tenantId: ids.tenantId,
      change: 'created',
      version: 1,
      fields: { email: 'ada@example.com', phone: null },
      mergedInto: null,
      originSourceId: ids.sourceId,
      eventKey,
      occurredAtMs: 1,
    },
  ],
  'counterpart.mappings.v1': [
    { ...ids, ...entity, status: 'tombstone', origin: 'adopted', updatedAtMs: 3 },
  ],
  'counterpart.unknown-operations.v1': [
    {
      ...ids,
      messageId: 'm-4',
      provider: 'hubspot',
      entityId: entity.entityId,
      operationId,
      operationVersion: 1,
      action: 'create',
      externalId: null,
      fields: { email: 'ada@example.com' },
      marker: '',
      sentAtMs: 1,
      settleAtMs: 2,
    },
  ],
  'counterpart.dead-letters.v1': [
    {
      messageId: 'm-5',
      tenantId: ids.tenantId,
      caseClass: 'unknown-outcome',
      service: 'dedupe',
      code: 'avro-type',
      detail: 'A sentence.',
      evidenceRef: 'kafka:counterpart.source-events.v1/3/7',
      occurredAtMs: 4,
    },
  ],
};
