import { randomUUID } from 'node:crypto';
import {
  createCodec,
  provision,
  type Codec,
  type TopicName,
  type TopicValue,
} from '@counterpart/contracts';
import {
  createProducer,
  KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { startService, type RunningService } from '@counterpart/platform-service';
import { startTelemetry } from '@counterpart/platform-telemetry';
import {
  asExternalId,
  asTenantId,
  entityKey,
  recordKey,
  type DeadLetter,
  type SourceEvent,
  type SyncOperation,
} from '@counterpart/sync-model';
import {
  eventually,
  scratchDatabase,
  testEnv,
  topicProbe,
  uniqueTenant,
  type ScratchDatabase,
  type TopicProbe,
} from '@counterpart/testing';
import { readConfig } from './config.js';
import { DedupeModule } from './dedupe.module.js';
import { anEvent } from './domain/testing-events.js';
import { aReport, aResult } from './testing/gate.js';

const env = testEnv();
const tenantId = asTenantId(uniqueTenant('ded'));
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const within = { timeoutMs: 20_000 };

let scratch: ScratchDatabase;
let codec: Codec;
let producer: StreamProducer;
let operations: TopicProbe<SyncOperation>;
let deadLetters: TopicProbe<DeadLetter>;
let service: RunningService;

const startDedupe = (): Promise<RunningService> => {
  const config = readConfig({
    KAFKA_BROKERS: env.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: env.schemaRegistryUrl,
    DATABASE_URL: scratch.url,
    HTTP_PORT: '0',
    INSTANCE_ID: `dedupe-spec-${randomUUID()}`,
    SECRETS_DIR: env.secretsDir,
    LOG_LEVEL: 'error',
  });
  const strategy = new KafkaBatchStrategy({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    groupId: `spec-${tenantId}`,
  });
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  return startService({
    service: 'dedupe',
    module: DedupeModule.with(config, strategy, startTelemetry({ service: 'dedupe' })),
    port: config.HTTP_PORT,
    strategy,
  });
};

const publish = <T extends TopicName>(
  topic: T,
  ...messages: readonly { readonly key: string; readonly value: TopicValue<T> | Buffer }[]
): Promise<void> =>
  producer.send(
    messages.map(({ key, value }) => ({
      topic,
      key,
      value: Buffer.isBuffer(value) ? value : codec.encode(topic, value),
      headers: { 'message-id': randomUUID(), traceparent },
    })),
  );
const push = (...events: readonly SourceEvent[]): Promise<void> =>
  publish(
    'counterpart.source-events.v1',
    ...events.map((value) => ({ key: recordKey(value), value })),
  );
const event = (id: string, parts: Partial<SourceEvent> = {}): SourceEvent =>
  anEvent({ id: `${tenantId} ${id}`, tenantId, ...parts });

interface EventsAnswer {
  readonly counts: Readonly<Record<string, number>>;
  readonly events: readonly {
    readonly eventKey: string;
    readonly state: string;
    readonly outcome: string | null;
    readonly reason: string;
  }[];
}
const get = async <T>(path: string): Promise<T> =>
  (await fetch(`${service.url}/operator/${path}`)).json() as Promise<T>;
const seen = (query = ''): Promise<EventsAnswer> => get(`events/${tenantId}${query}`);
const decided = (one: SourceEvent) =>
  eventually(async () => {
    const row = (await seen()).events.find(({ eventKey }) => eventKey === one.eventKey);
    if (row === undefined) throw new Error('not decided yet');
    return row;
  }, within);
/** Topics are shared and delivery is at least once: another gate may tell of the event as well. */
const passedOn = (id: string) =>
  operations.messages().filter(({ value }) => value.event.eventKey === event(id).eventKey);

beforeAll(async () => {
  await provision({ brokers: env.kafkaBrokers, registryUrl: env.schemaRegistryUrl });
  scratch = await scratchDatabase('dedupe');
  codec = await createCodec({ registryUrl: env.schemaRegistryUrl });
  producer = createProducer({ brokers: env.kafkaBrokers, clientId: 'dedupe-spec' });
  operations = await topicProbe('counterpart.sync-operations.v1', tenantId);
  deadLetters = await topicProbe('counterpart.dead-letters.v1', tenantId);
  service = await startDedupe();
}, 60_000);
afterAll(async () => {
  await service?.close();
  await Promise.all([operations, deadLetters].map((probe) => probe?.close()));
  await producer?.close();
  await scratch?.drop();
});

test('an event goes on under its key and in its trace; what cannot be kept harms no neighbour', async () => {
  const first = event('first', { fields: { a: 1 } });
  const last = event('last', { fields: { b: 1 } });
  await publish(
    'counterpart.source-events.v1',
    { key: recordKey(first), value: first },
    { key: recordKey(first), value: Buffer.from('no avro') },
    { key: `${tenantId}\u001fof another`, value: event('wrong key') },
    { key: recordKey(first), value: event('nul', { externalId: asExternalId('C\0') }) },
    { key: recordKey(last), value: last },
  );
  await eventually(() => {
    expect(passedOn('first')).not.toEqual([]);
    expect(passedOn('last')).not.toEqual([]);
    expect(new Set(deadLetters.values().map(({ code }) => code))).toEqual(
      new Set(['avro-magic', 'id-unstorable', 'key-mismatch']),
    );
  }, within);
  const [message] = passedOn('first');
  expect(message?.key).toBe(recordKey(first));
  expect(message?.headers['traceparent']).toContain(traceId);
  expect(message?.headers['traceparent']).not.toBe(traceparent);
}, 40_000);

test('an echo of a reported write stops here; a result settles its event', async () => {
  const report = aReport(event('any'), { email: 'ada@example.com' });
  await publish('counterpart.write-memory.v1', { key: recordKey(report), value: report });
  await eventually(async () => {
    // The topic is shared: other tests' reports are remembered, too.
    const rows = await scratch.db.query('select 1 from dedupe.write_memory where tenant_id = $1', [
      tenantId,
    ]);
    expect(rows).toHaveLength(1);
  }, within);
  const echo = event('echo', { fields: { email: 'ada@example.com' } });
  const edit = event('edit', { fields: { phone: '+15550100' } });
  await push(echo, edit);
  expect(await decided(echo)).toMatchObject({ outcome: 'echo', reason: 'own-values' });
  await eventually(() => expect(passedOn('edit')).not.toEqual([]), within);

  const result = aResult(edit, 'applied');
  const key = entityKey(tenantId, result.entityId);
  await publish(
    'counterpart.sync-results.v1',
    { key, value: { ...result, eventKey: 'no uuid' as never } },
    { key, value: result },
  );
  await eventually(
    async () => expect(await decided(edit)).toMatchObject({ state: 'settled', outcome: 'applied' }),
    within,
  );
}, 40_000);

test('operators see counts, the newest rows and what has not left; of one tenant', async () => {
  const { counts, events } = await seen();
  expect(counts).toEqual({ forwarded: 2, applied: 1, echo: 1 });
  expect(events).toHaveLength(4);
  expect((await seen('?outcome=echo')).events).toMatchObject([{ outcome: 'echo' }]);
  expect((await seen('?limit=1')).events).toHaveLength(1);
  expect(await get(`events/${tenantId}-other`)).toEqual({ counts: {}, events: [], conflicts: [] });
  await eventually(
    async () => expect(await get(`backlog?tenant=${tenantId}`)).toEqual({ pending: 0 }),
    within,
  );
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('dedupe_decisions_total{outcome="echo",reason="own-values"}');
  expect((await fetch(`${service.url}/operator/plans/${tenantId}`)).status).toBe(404);
});

test('a plan is kept by its newest version', async () => {
  const entry = (version: number) => ({
    key: tenantId,
    value: { tenantId, version, planJson: '{}', publishedAtMs: version },
  });
  await publish('counterpart.source-registry.v1', entry(8), entry(7));
  await eventually(
    async () => expect(await get(`plans/${tenantId}`)).toEqual({ tenantId, version: 8 }),
    within,
  );
});

test('what was decided and had not left when the process ended leaves with the next one', async () => {
  await service.close();
  const stuck = event('stuck', { fields: { c: 1 } });
  await scratch.db.query(
    `insert into dedupe.outbox (bucket, topic, key, value) values (0, $1, $2, $3)`,
    [
      'counterpart.sync-operations.v1',
      recordKey(stuck),
      codec.encode('counterpart.sync-operations.v1', {
        event: stuck,
        gate: { reason: 'new', suppressed: [], decidedAtMs: 1 },
      }),
    ],
  );
  const meanwhile = event('meanwhile', { fields: { d: 1 } });
  await push(meanwhile);
  service = await startDedupe();
  await eventually(() => {
    expect(passedOn('stuck')).not.toEqual([]);
    expect(passedOn('meanwhile')).not.toEqual([]);
  }, within);
}, 60_000);
