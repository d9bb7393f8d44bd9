import { asEventKey, asExternalId, asOperationId, hash128 } from '@counterpart/sync-model';
import { app, crm, entityId, tenantId } from '../testing/builders.js';
import type { Operation } from './operation.js';
import { settleWrite, type WriteEnding } from './settle-write.js';

const operation: Operation = {
  tenantId,
  operationId: asOperationId(hash128('op')),
  action: 'create',
  sourceId: crm,
  recordType: 'contact',
  entityId: entityId('ada'),
  externalId: null,
  eventKey: asEventKey(hash128('event')),
  originSourceId: app,
  fields: { email: 'ada@example.com' },
  attempts: 1,
  version: 0,
  state: 'attempting',
  traceparent: null,
};
const write = { token: 't', claimKey: 'k', operation, mapping: null };
const request = { sentAtMs: 600, settleAtMs: 9_000 };
const world = { nowMs: 1_000, request, provider: 'hubspot' };
const settle = (ending: WriteEnding) => settleWrite(write, ending, world);
const id = asExternalId('101');
const result = (parts: object): WriteEnding => ({ kind: 'result', result: parts as never });

const confirmed = result({
  kind: 'confirmed',
  externalId: id,
  stored: { email: 'ada@example.com' },
  versionToken: null,
  created: true,
});
test.each<[string, WriteEnding, object]>([
  [
    'an answer',
    confirmed,
    {
      release: true,
      state: 'confirmed',
      outcome: 'applied',
      need: 'linked',
      topics: ['sync-results', 'write-memory', 'mappings'],
    },
  ],
  [
    'a lost answer keeps the claim and is named',
    result({ kind: 'unknown', code: 'timed-out' }),
    {
      release: false,
      state: 'unknown',
      outcome: 'unknown',
      need: 'wait',
      topics: ['sync-results', 'unknown-operations'],
    },
  ],
  [
    'what a readback found',
    { kind: 'read-back', record: { externalId: id, stored: {}, versionToken: null } },
    {
      release: true,
      state: 'confirmed',
      outcome: 'reconciled',
      need: 'linked',
      topics: ['sync-results', 'write-memory', 'mappings'],
    },
  ],
  [
    'a readback that is sure it was never done',
    { kind: 'not-done' },
    { release: true, state: 'deferred', outcome: null, need: 'defer', topics: [] },
  ],
  [
    'two candidates',
    { kind: 'ambiguous' },
    {
      release: true,
      state: 'held',
      outcome: 'needs-review',
      need: 'parked',
      topics: ['sync-results'],
    },
  ],
  [
    'a refusal for good',
    result({ kind: 'refused', code: 'invalid', detail: '', existingId: null, field: null }),
    {
      release: true,
      state: 'refused',
      outcome: 'quarantined',
      need: 'parked',
      topics: ['sync-results'],
    },
  ],
  [
    'a refusal of the connection may mend',
    result({ kind: 'refused', code: 'credentials', detail: '', existingId: null, field: null }),
    { release: true, state: 'deferred', outcome: null, need: 'defer', topics: [] },
  ],
  [
    'a throttle',
    result({ kind: 'throttled', retryAtMs: 4_000, code: 'rate-limit' }),
    { release: true, state: 'deferred', outcome: null, need: 'defer', topics: [] },
  ],
  [
    'nothing was sent',
    result({ kind: 'unsent', code: 'connect-refused' }),
    { release: true, state: 'deferred', outcome: null, need: 'defer', topics: [] },
  ],
])('%s', (_name, ending, expected) => {
  const { settlement, outcome } = settle(ending);
  expect({
    release: settlement.release,
    state: settlement.state,
    outcome: settlement.outcome,
    need: outcome.kind,
    topics: settlement.messages.map(({ topic }) =>
      topic.replace('counterpart.', '').replace('.v1', ''),
    ),
  }).toEqual(expected);
});

test('only a wait of our own making is free of charge', () => {
  const counts = (code: string) => {
    const { outcome } = settle(result({ kind: 'throttled', retryAtMs: 4_000, code }));
    return outcome.kind === 'defer' && outcome.counts;
  };
  expect([counts('quota'), counts('rate-limit')]).toEqual([false, true]);
});

const valueOf = (ending: WriteEnding, topic: string): unknown =>
  settle(ending).settlement.messages.find((message) => message.topic.includes(topic))?.value;

test('what is remembered of a write has the time of its request, not of its answer', () => {
  expect(valueOf(confirmed, 'write-memory')).toMatchObject({ writtenAtMs: 600 });
  const lost = result({ kind: 'unknown', code: 'timed-out' });
  expect(valueOf(lost, 'unknown-operations')).toMatchObject(request);
});

test('a write told as unknown is told as never done when that is what it was', () => {
  const told = { ...write, operation: { ...operation, version: 2 } };
  const { settlement, outcome } = settleWrite(told, { kind: 'not-done' }, world);
  expect(settlement.messages.map(({ value }) => value)).toMatchObject([
    { outcome: 'superseded', reason: 'never-done', evidence: 'readback', operationVersion: 3 },
  ]);
  expect(settlement.state).toBe('deferred');
  expect(outcome).toMatchObject({ kind: 'defer', counts: true });
});

test("a record that turns out to be another entity's goes to a person, with its id", () => {
  expect(settle(confirmed).settlement.ifTaken.map(({ value }) => value)).toMatchObject([
    { outcome: 'needs-review', reason: 'record-belongs-to-another-entity', externalId: '101' },
  ]);
});
