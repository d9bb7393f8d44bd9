import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCodec,
  provision,
  type Codec,
  type TopicName,
  type TopicValue,
} from '@counterpart/contracts';
import { startCrmSim, type RunningCrmSim } from '@counterpart/crm-sim';
import {
  createConsumer,
  createProducer,
  KafkaBatchStrategy,
  type StreamConsumer,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { startService, type RunningService } from '@counterpart/platform-service';
import { startTelemetry } from '@counterpart/platform-telemetry';
import {
  asEntityId,
  asExternalId,
  asTenantId,
  entityKey,
  type SourceEvent,
} from '@counterpart/sync-model';
import { parseSyncPlan } from '@counterpart/sync-plan';
import {
  eventually,
  scratchDatabase,
  testEnv,
  uniqueTenant,
  type ScratchDatabase,
} from '@counterpart/testing';
import { randomUUID } from 'node:crypto';
import { readConfig } from './config.js';
import { ReconcilerModule } from './reconciler.module.js';
import { aResult, anUnknown } from './testing/values.js';

const env = testEnv();
const tenantId = asTenantId(uniqueTenant('rec'));
const token = 'pat-reconciler-spec';
const secretsDir = mkdtempSync(join(tmpdir(), 'secrets-'));
const events: SourceEvent[] = [];
const traces: string[] = [];
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let sim: RunningCrmSim;
let portalId: string;
let scratch: ScratchDatabase;
let codec: Codec;
let producer: StreamProducer;
let consumer: StreamConsumer;
let service: RunningService;

const plan = (baseUrl: string): string => `
apiVersion: counterpart/v1
tenant: ${tenantId}
records:
  contact:
    match: [email]
    fields:
      email: { type: email, owner: last-change }
      phone: { type: phone, country: US, owner: last-change }
  company:
    match: [domain]
    fields:
      domain: { type: domain, owner: last-change }
      name: { type: text, owner: last-change }
sources:
  crm:
    provider: hubspot
    baseUrl: ${baseUrl}
    allowPrivateAddress: true
    credentials: { accessToken: "file:${tenantId}/crm-token" }
    settings: { portalId: "${portalId}", appId: "456", uniqueProperty: never }
    quota: { perTenSeconds: 1000, searchPerSecond: 100 }
    timing: { requestDeadlineMs: 2000, crmLongestRunMs: 2000, indexLagMs: 0 }
    records:
      contact: { object: contacts, fields: { email: email, phone: phone } }
      company: { object: companies, fields: { domain: domain, name: name } }
`;

const publish = async <T extends TopicName>(
  topic: T,
  key: string,
  ...values: (TopicValue<T> | Buffer)[]
): Promise<void> =>
  producer.send(
    values.map((value) => ({
      topic,
      key,
      value: Buffer.isBuffer(value) ? value : codec.encode(topic, value),
      headers: { 'message-id': randomUUID(), traceparent },
    })),
  );

const get = async <T>(path: string): Promise<T> =>
  (await fetch(`${service.url}${path}`)).json() as Promise<T>;
interface CaseAnswer {
  readonly cases: readonly {
    readonly state: string;
    readonly class: string;
    readonly code: string;
  }[];
}
const cases = (state = ''): Promise<CaseAnswer> =>
  get(`/operator/cases?tenant=${tenantId}${state && `&state=${state}`}`);

/** Somebody makes a record in the CRM; answers its id. */
async function humanCreates(type: string, properties: Record<string, string>): Promise<string> {
  const answer = await fetch(`${sim.url}/_sim/portals/${portalId}/human`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'create', type, properties, force: true }),
  });
  return String(((await answer.json()) as { id: unknown }).id);
}

async function startReconciler(): Promise<RunningService> {
  const config = readConfig({
    KAFKA_BROKERS: env.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: env.schemaRegistryUrl,
    DATABASE_URL: scratch.url,
    HTTP_PORT: '0',
    INSTANCE_ID: `reconciler-spec-${randomUUID()}`,
    SECRETS_DIR: secretsDir,
    LOG_LEVEL: 'error',
    ALLOW_PRIVATE_ADDRESSES: 'true',
    POLL_MS: '20',
  });
  const strategy = new KafkaBatchStrategy({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    groupId: `spec-${tenantId}`,
  });
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  return startService({
    service: 'reconciler',
    module: ReconcilerModule.with(config, strategy, startTelemetry({ service: 'reconciler' })),
    port: config.HTTP_PORT,
    strategy,
  });
}

beforeAll(async () => {
  await provision({ brokers: env.kafkaBrokers, registryUrl: env.schemaRegistryUrl });
  scratch = await scratchDatabase('reconciler');
  codec = await createCodec({ registryUrl: env.schemaRegistryUrl });
  producer = createProducer({ brokers: env.kafkaBrokers, clientId: 'reconciler-spec' });
  consumer = createConsumer({
    brokers: env.kafkaBrokers,
    clientId: 'reconciler-spec-reader',
    groupId: `spec-reader-${tenantId}`,
    topics: ['counterpart.source-events.v1'],
  });
  await consumer.run(async (batch) => {
    for (const message of batch) {
      const read = await codec.decode('counterpart.source-events.v1', message.value);
      if (!read.ok || read.value.tenantId !== tenantId) continue;
      events.push(read.value);
      traces.push(message.headers['traceparent'] ?? '');
    }
  });
  sim = await startCrmSim({ host: '127.0.0.1', port: 0 });
  const portal = await fetch(`${sim.url}/_sim/portals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      accessToken: token,
      appId: '456',
      clientSecret: 'secret',
      uniqueProperties: 'forbidden',
    }),
  });
  portalId = String(((await portal.json()) as { portalId: unknown }).portalId);
  mkdirSync(join(secretsDir, tenantId));
  writeFileSync(join(secretsDir, tenantId, 'crm-token'), token);
  service = await startReconciler();
  const parsed = parseSyncPlan(plan(sim.url), {
    knownProviders: ['app', 'hubspot'],
    allowPrivateAddresses: true,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  await publish('counterpart.source-registry.v1', tenantId, {
    tenantId,
    version: 7,
    planJson: parsed.planJson,
    publishedAtMs: Date.now(),
  });
  await eventually(
    async () => expect(await get(`/operator/plans/${tenantId}`)).toEqual({ tenantId, version: 7 }),
    { timeoutMs: 30_000 },
  );
}, 60_000);

afterAll(async () => {
  await service?.close();
  await consumer?.close();
  await producer?.close();
  await sim?.close();
  await scratch?.drop();
  rmSync(secretsDir, { recursive: true });
});

const an = (change: Parameters<typeof anUnknown>[0]) =>
  anUnknown({
    tenantId,
    messageId: randomUUID(),
    operationId: randomUUID() as never,
    entityId: asEntityId(randomUUID()),
    settleAtMs: Date.now(),
    ...change,
  });
const announce = (value: ReturnType<typeof an>): Promise<void> =>
  publish('counterpart.unknown-operations.v1', entityKey(tenantId, value.entityId), value);
const answerTo = (operation: ReturnType<typeof an>): Promise<SourceEvent> =>
  eventually(
    () => {
      const event = events.find(({ readback }) => readback?.operationId === operation.operationId);
      if (event === undefined) throw new Error('no readback event yet');
      return event;
    },
    { timeoutMs: 20_000 },
  );

test('a create that was made is found; its trace goes on; nothing is left to do', async () => {
  const id = await humanCreates('company', { domain: 'found.test', name: 'Found' });
  const operation = an({ recordType: 'company', fields: { domain: 'found.test' } });
  await announce(operation);
  const event = await answerTo(operation);
  expect(event).toMatchObject({
    kind: 'readback',
    sourceId: 'crm',
    recordType: 'company',
    externalId: `op:${operation.operationId}`,
    readback: { verdict: 'found', externalId: id, stored: { domain: 'found.test', name: 'Found' } },
  });
  expect(traces.at(-1)?.slice(3, 35)).toBe(traceparent.slice(3, 35));
  await eventually(async () =>
    expect(await get(`/operator/backlog?tenant=${tenantId}`)).toEqual({ pending: 0 }),
  );
});

test('a create that was never made is absent, and a change that is not there as well', async () => {
  const never = an({ recordType: 'company', fields: { domain: 'never.test' } });
  await announce(never);
  const id = await humanCreates('contact', { email: 'bob@acme.test', phone: '+14155550100' });
  const lost = an({
    action: 'update',
    externalId: asExternalId(id),
    fields: { phone: '+14155550199' },
  });
  const made = an({
    action: 'update',
    externalId: asExternalId(id),
    fields: { phone: '+14155550100' },
  });
  await announce(lost);
  await announce(made);
  expect((await answerTo(never)).readback).toMatchObject({ verdict: 'absent', externalId: null });
  expect((await answerTo(lost)).readback).toMatchObject({ verdict: 'absent' });
  expect((await answerTo(made)).readback).toMatchObject({ verdict: 'found', externalId: id });
});

test('several records are a case and a verdict; a settled result closes the case', async () => {
  await humanCreates('company', { domain: 'twice.test' });
  await humanCreates('company', { domain: 'twice.test' });
  const operation = an({ recordType: 'company', fields: { domain: 'twice.test' } });
  await announce(operation);
  expect((await answerTo(operation)).readback).toMatchObject({ verdict: 'ambiguous' });
  await eventually(async () =>
    expect(await cases('open')).toMatchObject({
      cases: [{ class: 'ambiguity', code: 'several-records-match' }],
    }),
  );
  const { operationId, entityId } = operation;
  await publish(
    'counterpart.sync-results.v1',
    entityKey(tenantId, entityId),
    aResult({
      tenantId,
      operationId,
      entityId,
      messageId: randomUUID(),
      operationVersion: 2,
      outcome: 'reconciled',
      reason: 'create',
    }),
  );
  await eventually(async () => expect((await cases('open')).cases).toEqual([]));
  expect((await cases('settled')).cases).toMatchObject([{ class: 'ambiguity', code: 'create' }]);
});

test('a CRM that cannot be read is asked again later; nothing is said meanwhile', async () => {
  await fetch(`${sim.url}/_sim/portals/${portalId}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      match: { kind: 'search' },
      times: 2,
      fault: { type: 'status', status: 503 },
    }),
  });
  const operation = an({ recordType: 'company', fields: { domain: 'later.test' } });
  await announce(operation);
  expect((await answerTo(operation)).readback).toMatchObject({ verdict: 'absent' });
  const rows = await scratch.db.query<{ attempts: number }>(
    'select attempts from reconcile.readbacks where operation_id = $1',
    [operation.operationId],
  );
  expect(rows[0]?.attempts).toBe(3);
});

test('a poison message is one case and stalls nobody', async () => {
  const key = entityKey(tenantId, asEntityId(randomUUID()));
  await publish('counterpart.sync-results.v1', key, Buffer.from('not avro at all'));
  await publish('counterpart.dead-letters.v1', tenantId, Buffer.from([0, 0, 0]));
  await eventually(
    async () => {
      const { cases: open } = await cases('open');
      expect(open.map(({ class: caseClass }) => caseClass)).toEqual([
        'processing-failure',
        'processing-failure',
      ]);
    },
    { timeoutMs: 20_000 },
  );
  const operation = an({ recordType: 'company', fields: { domain: 'after.test' } });
  await announce(operation);
  await answerTo(operation);
});

test('what was under way when it stopped is done by the next one', async () => {
  await service.close();
  const operation = an({ recordType: 'company', fields: { domain: 'while-away.test' } });
  await announce(operation);
  service = await startReconciler();
  expect((await answerTo(operation)).readback).toMatchObject({ verdict: 'absent' });
  expect(
    events.filter(({ readback }) => readback?.operationId === operation.operationId),
  ).toHaveLength(1);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
}, 40_000);

test.each([
  ['/operator/cases', 400, 'tenant-missing'],
  ['/operator/cases?tenant=a&tenant=b', 400, 'tenant-missing'],
  ['/operator/cases?tenant=a&state=lost', 400, 'unknown-state'],
  ['/operator/backlog', 400, 'tenant-missing'],
  ['/operator/plans/nobody', 404, 'unknown-tenant'],
])('GET %s answers %d %s', async (path, status, code) => {
  const answer = await fetch(`${service.url}${path}`);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code } });
});
