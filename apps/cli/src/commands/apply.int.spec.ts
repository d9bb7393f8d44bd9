import { provision, topicNames } from '@counterpart/contracts';
import { eventually, testEnv, topicProbe, uniqueTenant } from '@counterpart/testing';
import { planOfJson } from '@counterpart/sync-plan';
import { httpService, type HttpService } from '../testing/http-service.js';
import { planFile } from '../testing/plan-file.js';
import { runCli } from '../testing/run-cli.js';

const env = testEnv();
const services: HttpService[] = [];
beforeAll(() => provision({ brokers: env.kafkaBrokers, registryUrl: env.schemaRegistryUrl }));
afterAll(() => Promise.all(services.map((one) => one.close())));

/** A service that says it works by the version that `version` gives. */
const keeper = async (version: () => number): Promise<string> => {
  const service = await httpService(() => ({ body: { version: version() } }));
  services.push(service);
  return service.url;
};
const apply = (tenant: string, keepers: Readonly<Record<string, string>>, ...more: string[]) =>
  runCli(
    ...['apply', '-f', planFile({ tenant }), '--no-reach', ...more],
    ...['--kafka', env.kafkaBrokers.join(','), '--registry', env.schemaRegistryUrl],
    ...[
      '--services',
      Object.entries(keepers)
        .map((pair) => pair.join('='))
        .join(','),
    ],
  );

test('a plan is on the registry topic before anybody says that it is in force', async () => {
  const tenant = uniqueTenant('cli');
  const registry = await topicProbe(topicNames.sourceRegistry, tenant);
  const newest = () => registry.values().at(-1)?.version ?? 0;
  const [ingest, dedupe] = await Promise.all([keeper(newest), keeper(newest)]);
  const { code, out, err } = await apply(tenant, { ingest, dedupe });
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(`plan of ${tenant} is in force, version ${newest()}\n`);
  const [entry] = await eventually(() => {
    expect(registry.messages()).toHaveLength(1);
    return registry.messages();
  });
  expect(entry?.key).toBe(tenant);
  expect(planOfJson(entry?.value.planJson ?? '')).toMatchObject({
    ok: true,
    plan: { tenantId: tenant },
  });
  expect(entry?.value.planJson).toContain('file:acme/token');

  await apply(tenant, { ingest });
  await eventually(() => expect(registry.values()).toHaveLength(2));
  const [first, second] = registry.values();
  expect(second?.version).toBeGreaterThan(first?.version ?? Infinity);
  expect(second?.planJson).toBe(first?.planJson);
  await registry.close();
}, 40_000);

test('services that do not take it up in time are named', async () => {
  const [ingest, dedupe] = await Promise.all([keeper(() => 9e15), keeper(() => 1)]);
  const tenant = uniqueTenant('cli');
  const { code, err } = await apply(tenant, { ingest, dedupe }, '--wait-seconds', '0');
  expect([code, err]).toEqual([1, expect.stringMatching(/not yet taken up by dedupe: /)]);
}, 20_000);

test('without a broker or a registry the sentence says which', async () => {
  const flags = (kafka: string, registry: string) => [
    ...['apply', '-f', planFile(), '--no-reach', '--services', 'ingest=http://127.0.0.1:1'],
    ...['--kafka', kafka, '--registry', registry],
  ];
  const noBroker = await runCli(...flags('127.0.0.1:1', env.schemaRegistryUrl));
  expect(noBroker).toMatchObject({ code: 1, err: expect.stringContaining('Kafka') });
  const noRegistry = await runCli(...flags(env.kafkaBrokers.join(','), 'http://127.0.0.1:1/x'));
  expect(noRegistry).toMatchObject({ code: 1, err: expect.stringContaining('registry') });
  for (const { err } of [noBroker, noRegistry]) expect(err.trim().split('\n')).toHaveLength(1);
}, 40_000);
