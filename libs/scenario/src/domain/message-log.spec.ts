import {
  asEntityId,
  asEventKey,
  asExternalId,
  asOperationId,
  asSourceId,
  asTenantId,
} from '@counterpart/sync-model';
import type { SyncResult } from '@counterpart/sync-model';
import { MessageLog } from './message-log.js';

const result = (
  messageId: string,
  operationVersion: number,
  outcome: SyncResult['outcome'],
): SyncResult => ({
  messageId,
  tenantId: asTenantId('t'),
  entityId: asEntityId('e'),
  entityType: 'contact',
  operationId: asOperationId('o'),
  operationVersion,
  eventKey: asEventKey('k'),
  originSourceId: asSourceId('app'),
  targetSourceId: asSourceId('crm'),
  recordType: 'contact',
  externalId: asExternalId('1'),
  outcome,
  reason: '',
  evidence: 'none',
  attempts: 1,
  occurredAtMs: 0,
});

test('a message told twice is one message', () => {
  const log = new MessageLog();
  log.addResult(result('a', 1, 'applied'));
  log.addResult(result('a', 1, 'applied'));
  expect(log.messagesOf('t')).toHaveLength(1);
  expect(log.position()).toBe(1);
});

test('an operation stands as its newest version says, in whatever order they come', () => {
  const log = new MessageLog();
  log.addResult(result('b', 2, 'reconciled'));
  log.addResult(result('a', 1, 'unknown'));
  expect(log.operationsOf('t').map(({ outcome }) => outcome)).toEqual(['reconciled']);
  expect(log.operationsOf('other')).toEqual([]);
});

test('a record has its newest mapping', () => {
  const log = new MessageLog();
  const mapping = {
    tenantId: asTenantId('t'),
    sourceId: asSourceId('crm'),
    recordType: 'contact',
    externalId: asExternalId('1'),
    entityId: asEntityId('e'),
    entityType: 'contact',
    origin: 'created',
    updatedAtMs: 0,
  } as const;
  log.addMapping({ ...mapping, status: 'linked' });
  log.addMapping({ ...mapping, status: 'tombstone' });
  expect(log.mappingsOf('t').map(({ status }) => status)).toEqual(['tombstone']);
  expect(log.messagesOf('t')).toHaveLength(2);
});
