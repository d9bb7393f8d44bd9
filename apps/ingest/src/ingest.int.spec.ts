import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createCodec, provision, topicNames, type Codec } from '@counterpart/contracts';
import {
  createProducer,
  KafkaBatchStrategy,
  type StreamProducer,
} from '@counterpart/platform-kafka';
import { startService, type RunningService } from '@counterpart/platform-service';
import { startTelemetry } from '@counterpart/platform-telemetry';
import { asTenantId, type SourceEvent } from '@counterpart/sync-model';
import { parseSyncPlan } from '@counterpart/sync-plan';
import {
  eventually,
  scratchDatabase,
  testEnv,
  topicProbe,
  uniqueTenant,
  type ScratchDatabase,
  type TopicProbe,
} from '@counterpart/testing';
import { takeRawBodies } from './adapters/inbound/raw-body.js';
import { createPublisher } from './adapters/outbound/publish-events.js';
import { readConfig } from './config.js';
import { IngestModule } from './ingest.module.js';
import { openDoors } from './testing/open-doors.js';
import { appSecret, hubspotHeaders, signedHeaders } from './testing/signed.js';

const env = testEnv();
const tenantId = asTenantId(uniqueTenant('ing'));
const rival = asTenantId(uniqueTenant('ing'));
const publicUrl = 'https://hooks.example.com';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const within = { timeoutMs: 20_000 };

let scratch: ScratchDatabase;
let secretsDir: string;
let codec: Codec;
let producer: StreamProducer;
let events: TopicProbe<SourceEvent>;
let service: RunningService;

const startIngest = (): Promise<RunningService> => {
  const config = readConfig({
    KAFKA_BROKERS: env.kafkaBrokers.join(','),
    SCHEMA_REGISTRY_URL: env.schemaRegistryUrl,
    DATABASE_URL: scratch.url,
    HTTP_PORT: '0',
    INSTANCE_ID: `ingest-spec-${randomUUID()}`,
    SECRETS_DIR: secretsDir,
    LOG_LEVEL: 'error',
    PUBLIC_URL: publicUrl,
  });
  const strategy = new KafkaBatchStrategy({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    groupId: `spec-${tenantId}`,
  });
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  return startService({
    service: 'ingest',
    module: IngestModule.with(config, strategy, startTelemetry({ service: 'ingest' })),
    port: config.HTTP_PORT,
    bodyLimit: config.BODY_BYTES_MAX,
    configure: takeRawBodies,
    strategy,
  });
};

const saveSecret = async (path: string, value: string): Promise<void> => {
  await mkdir(dirname(join(secretsDir, path)), { recursive: true });
  await writeFile(join(secretsDir, path), `${value}\n`);
};

/** Publishes a plan as `counterpart apply` does; the version is what the test says. */
const apply = async (tenant: string, version: number, portalId: string): Promise<void> => {
  const parsed = parseSyncPlan(
    `
apiVersion: counterpart/v1
tenant: ${tenant}
records: { contact: { match: [email], fields: { email: { type: email, owner: last-change } } } }
sources:
  app: { provider: app, signing: { secrets: ["file:${tenant}/app"] }, records: { contact: {} } }
  crm:
    provider: hubspot
    baseUrl: https://api.hubapi.com
    credentials: { accessToken: "file:${tenant}/token" }
    settings: { portalId: "${portalId}", appId: "9" }
    webhook: { endpoint: ${tenantId}-hook, secrets: ["file:shared/crm"] }
    records: { contact: { object: contacts, fields: { email: email } } }
`,
    { knownProviders: ['app', 'hubspot'], allowPrivateAddresses: false },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const topic = topicNames.sourceRegistry;
  const { planJson } = parsed;
  const entry = { tenantId: asTenantId(tenant), version, planJson, publishedAtMs: version };
  await producer.send([{ topic, key: tenant, value: codec.encode(topic, entry), headers: {} }]);
  await eventually(
    async () => expect(await get(`plans/${tenant}`)).toEqual({ tenantId: tenant, version }),
    within,
  );
};

const get = async (path: string): Promise<unknown> =>
  (await fetch(`${service.url}/operator/${path}`)).json();
const bodyOf = (id: string, email = 'Ada@Example.com'): string =>
  JSON.stringify({
    changes: [
      {
        id,
        type: 'contact',
        recordId: 'c-1',
        occurredAt: '2026-03-02T09:00:00Z',
        fields: { email },
      },
    ],
  });
const push = (body: string, headers: object = {}, tenant: string = tenantId) =>
  fetch(`${service.url}/v1/tenants/${tenant}/sources/app/changes`, {
    method: 'POST',
    body,
    headers: { ...signedHeaders(body), ...headers },
  });
const hook = (...changed: readonly object[]) => {
  const body = JSON.stringify(
    changed.map((parts, n) => ({
      eventId: n,
      subscriptionId: 1,
      portalId: 62515,
      appId: 9,
      occurredAt: 1_700_000_000_000,
      subscriptionType: 'contact.propertyChange',
      attemptNumber: 0,
      objectId: 7,
      changeSource: 'CRM_UI',
      sourceId: 'userId:1',
      propertyName: 'email',
      propertyValue: 'ada@example.com',
      ...parts,
    })),
  );
  const path = `/v1/webhooks/${tenantId}-hook`;
  const headers = hubspotHeaders(publicUrl + path, body, 'our client secret');
  return fetch(service.url + path, { method: 'POST', body, headers });
};

beforeAll(async () => {
  await provision({ brokers: env.kafkaBrokers, registryUrl: env.schemaRegistryUrl });
  secretsDir = await mkdtemp(join(tmpdir(), 'ingest-spec-'));
  await saveSecret(`${tenantId}/app`, appSecret);
  await saveSecret(`${rival}/app`, appSecret);
  await saveSecret('shared/crm', 'our client secret');
  scratch = await scratchDatabase('ingest');
  codec = await createCodec({ registryUrl: env.schemaRegistryUrl });
  producer = createProducer({ brokers: env.kafkaBrokers, clientId: 'ingest-spec' });
  events = await topicProbe(topicNames.sourceEvents, tenantId);
  service = await startIngest();
  await apply(tenantId, 100, '62515');
}, 60_000);
afterAll(async () => {
  await service?.close();
  await events?.close();
  await producer?.close();
  await scratch?.drop();
  await rm(secretsDir, { recursive: true, force: true });
});

test('a change answered 202 is on the topic, canonical, under its key and in its trace', async () => {
  const response = await push(bodyOf('evt-1'), {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  });
  expect(response.status).toBe(202);
  const { receipts } = (await response.json()) as { receipts: { id: string; eventKey: string }[] };
  const message = await eventually(() => {
    const found = events.messages().find(({ value }) => value.eventKey === receipts[0]?.eventKey);
    if (found === undefined) throw new Error('not on the topic yet');
    return found;
  }, within);
  expect(message.value).toMatchObject({ tenantId, fields: { email: 'ada@example.com' } });
  expect(message.key).toBe([tenantId, 'app', 'contact', 'c-1'].join('\u001f'));
  expect(message.headers).toMatchObject({
    'message-id': receipts[0]?.eventKey,
    traceparent: expect.stringContaining(traceId),
  });
}, 30_000);

test('two hundred requests at once are all kept, each once', async () => {
  const ids = Array.from({ length: 200 }, (_, n) => `storm-${n}`);
  const answers = await Promise.all(ids.map((id) => push(bodyOf(id))));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
  const keys = await Promise.all(
    answers.map(
      async (one) =>
        ((await one.json()) as { receipts: { eventKey: string }[] }).receipts[0]?.eventKey,
    ),
  );
  await eventually(() => {
    const onTopic = events.values().map(({ eventKey }) => String(eventKey));
    expect(keys.filter((key) => !onTopic.includes(String(key)))).toEqual([]);
  }, within);
}, 40_000);

test('a portal nobody has is kept aside, its neighbours go on, and no answer shows it', async () => {
  const response = await hook({}, { portalId: 404, propertyValue: 'canary@example.com' });
  expect([response.status, await response.json()]).toMatchObject([202, { accepted: 1 }]);
  const { items } = (await get(`quarantine?endpoint=${tenantId}-hook`)) as { items: object[] };
  expect(items).toMatchObject([{ items: [{ index: 1, code: 'unknown-instance' }] }]);
  expect(JSON.stringify(items)).not.toContain('canary');
  const [row] = await scratch.db.query<{ body: Buffer }>(
    'select body from ingest.quarantined_deliveries',
  );
  expect(row?.body.toString()).toContain('canary@example.com');
});

test('refusals are counted for the source, and for nobody where there is none', async () => {
  expect((await push(bodyOf('evt-2'), { 'webhook-signature': 'v1,AAAA' })).status).toBe(401);
  expect((await push('{')).status).toBe(400);
  expect((await push(bodyOf('evt-2'), {}, `${tenantId}-nobody`)).status).toBe(401);
  await eventually(async () => {
    expect(await get(`refusals?tenant=${tenantId}`)).toMatchObject({
      refusals: expect.arrayContaining([
        expect.objectContaining({ sourceId: 'app', code: 'signature', count: 1 }),
        expect.objectContaining({ sourceId: 'app', code: 'malformed-json', count: 1 }),
        expect.objectContaining({ sourceId: 'crm', code: 'unknown-instance', count: 1 }),
      ]),
    });
    expect(await get('refusals?tenant=')).toMatchObject({ refusals: [{ code: 'signature' }] });
  }, within);
});

test('a secret that was rotated out verifies no more, without a restart', async () => {
  const rotated = Buffer.from('the next secret of the app').toString('base64');
  await saveSecret(`${tenantId}/app`, rotated);
  const body = bodyOf('evt-3');
  await eventually(async () => expect((await push(body)).status).toBe(401), within);
  expect((await push(body, signedHeaders(body, { secret: rotated }))).status).toBe(202);
  await saveSecret(`${tenantId}/app`, appSecret);
  await eventually(async () => expect((await push(body)).status).toBe(202), within);
}, 40_000);

test('a portal that one tenant has is never another’s, not even when its plan is applied again', async () => {
  await apply(rival, 200, '62515');
  await apply(tenantId, 300, '62515');
  expect((await hook({ objectId: 8 })).status).toBe(202);
  await eventually(() => {
    expect(events.values().filter(({ externalId }) => externalId === '8')).not.toEqual([]);
  }, within);
  await eventually(async () => {
    expect(await get(`refusals?tenant=${rival}`)).toMatchObject({
      refusals: [{ sourceId: 'crm', code: 'endpoint-contested', count: 1 }],
    });
  }, within);
}, 40_000);

test('the API describes itself, with the limits and codes it has', async () => {
  const api = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Readonly<Record<string, { post: { responses: object } }>>;
  };
  expect(Object.keys(api.paths)).toEqual([
    '/v1/tenants/{tenantId}/sources/{sourceId}/changes',
    '/v1/webhooks/{endpoint}',
  ]);
  for (const { post } of Object.values(api.paths))
    expect(Object.keys(post.responses)).toEqual(['202', '400', '401', '413', '503']);
});

test('ready says so while its parts answer', async () => {
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
});

test('while no broker answers, a request is refused with 503 and a time to come back', async () => {
  const away = createProducer({
    brokers: ['127.0.0.1:1'],
    clientId: 'ingest-spec',
    tryAgainForMs: 0,
  });
  const doors = await openDoors({ publish: createPublisher(codec, away) });
  const body = bodyOf('evt-9');
  const response = await fetch(`${doors.service.url}/v1/tenants/acme/sources/app/changes`, {
    method: 'POST',
    body,
    headers: signedHeaders(body),
  });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  await doors.service.close();
  await away.close();
}, 30_000);
