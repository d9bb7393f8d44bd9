import {
  fingerprintOfValue,
  hash128,
  type Outcome,
  type WriteMemory,
} from '@counterpart/sync-model';
import {
  asEntityId,
  asOperationId,
  type DeadLetter,
  type FieldValue,
  type SourceEvent,
  type SyncOperation,
  type SyncResult,
} from '@counterpart/sync-model';
import type { Db } from '@counterpart/platform-postgres';
import { createGateStore } from '../adapters/outbound/gate-store.js';
import { createSaveMessages } from '../adapters/outbound/save-messages.js';
import { handleSourceEvents } from '../application/handle-source-events.js';
import type { GateStore } from '../application/ports.js';
import type { Decision } from '../domain/decision.js';

/** Values as JSON, so that a test can read what lies in the outbox. */
const plainCodec = {
  encode: (_topic: string, value: unknown) => Buffer.from(JSON.stringify(value)),
};

export const storeOn = (db: Db): GateStore => createGateStore(db, createSaveMessages(plainCodec));

/** One batch through the gate; answers the decisions that were kept. */
export const take = async (
  store: GateStore,
  events: readonly SourceEvent[],
  traceparent: string | null = null,
): Promise<readonly Decision[]> => {
  let kept: readonly Decision[] = [];
  await handleSourceEvents(
    events.map((value) => ({ value, traceparent })),
    [],
    {
      store,
      nowMs: () => 5_000,
      mark: (arrived) => ({
        traceparents: arrived.map((one) => one.traceparent),
        end: () => undefined,
      }),
      counted: (decisions) => {
        kept = decisions;
      },
    },
  );
  return kept;
};

interface OutboxRow {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}
const outbox = (db: Db, topic: string) =>
  db.query<OutboxRow>(
    'select topic, key, value, headers from dedupe.outbox where topic = $1 order by id',
    [topic],
  );

/** Operations that wait to be published, in their order. */
export const operations = async (
  db: Db,
): Promise<readonly (SyncOperation & Pick<OutboxRow, 'key' | 'headers'>)[]> =>
  (await outbox(db, 'counterpart.sync-operations.v1')).map(({ value, key, headers }) => ({
    ...(JSON.parse(value.toString()) as SyncOperation),
    key,
    headers,
  }));

export const deadLetters = async (db: Db): Promise<readonly DeadLetter[]> =>
  (await outbox(db, 'counterpart.dead-letters.v1')).map(
    ({ value }) => JSON.parse(value.toString()) as DeadLetter,
  );

/** The writer's report that the CRM stored these values for us. */
export const aReport = (
  event: SourceEvent,
  fields: Readonly<Record<string, FieldValue>>,
  parts: Partial<WriteMemory> = {},
): WriteMemory => ({
  tenantId: event.tenantId,
  sourceId: event.sourceId,
  recordType: event.recordType,
  externalId: event.externalId,
  operationId: asOperationId(hash128('an operation')),
  kind: 'written',
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fingerprintOfValue(value)]),
  ),
  writtenAtMs: 500,
  ...parts,
});

/** What became of an event. */
export const aResult = (
  event: SourceEvent,
  outcome: Outcome,
  parts: Partial<SyncResult> = {},
): SyncResult => ({
  messageId: hash128(`result ${event.eventKey} ${outcome}`),
  tenantId: event.tenantId,
  entityId: asEntityId(hash128('an entity')),
  entityType: event.recordType,
  operationId: asOperationId(hash128(`operation of ${event.eventKey}`)),
  operationVersion: 1,
  eventKey: event.eventKey,
  originSourceId: event.sourceId,
  targetSourceId: event.sourceId,
  recordType: event.recordType,
  externalId: null,
  outcome,
  reason: `because-${outcome}`,
  evidence: 'none',
  attempts: 1,
  occurredAtMs: 1,
  ...parts,
});
