import { testEnv, uniqueTenant } from '@counterpart/testing';
import { Type } from 'avsc';
import { createCodec } from './codec.js';
import { provision } from './provision.js';
import { compatibilityLevel, registerSchemas } from './register-schemas.js';
import { createRegistryClient } from './registry-client.js';
import { schemaOf } from './schema-files.js';
import { examples } from './testing/examples.js';
import { allTopicNames, subjectOf, topicNames } from './topics.js';

const { schemaRegistryUrl, kafkaBrokers } = testEnv();
const registry = createRegistryClient(schemaRegistryUrl);

test('provisioning again changes nothing', async () => {
  await provision({ brokers: kafkaBrokers, registryUrl: schemaRegistryUrl });
  const ids = await registerSchemas(schemaRegistryUrl);
  expect(await provision({ brokers: kafkaBrokers, registryUrl: schemaRegistryUrl })).toEqual([]);
  expect(await registerSchemas(schemaRegistryUrl)).toEqual(ids);
  for (const topic of allTopicNames) {
    expect(await registry.compatibility(subjectOf(topic))).toBe(compatibilityLevel);
  }
}, 60_000);

test('what we write is read by plain Avro with the registered schema', async () => {
  await registerSchemas(schemaRegistryUrl);
  const codec = await createCodec({ registryUrl: schemaRegistryUrl });
  const [result] = examples[topicNames.syncResults].filter(({ outcome }) => outcome === 'no-op');
  if (result === undefined) throw new Error('no example');
  const bytes = codec.encode(topicNames.syncResults, result);
  const text = await registry.schemaById(bytes.readInt32BE(1));
  const type = Type.forSchema(JSON.parse(text ?? 'null'));
  expect(type.fromBuffer(bytes.subarray(5))).toMatchObject({
    operationId: '0f31',
    outcome: 'no_op',
  });
  expect(codec.decode(topicNames.syncResults, bytes)).toEqual({ ok: true, value: result });
});

test('a change that old readers or writers cannot live with is refused by the registry', async () => {
  const subject = `${uniqueTenant()}-value`;
  await registry.setCompatibility(subject, compatibilityLevel);
  const schema = schemaOf(topicNames.mappings) as { readonly fields: readonly object[] };
  await registry.register(subject, JSON.stringify(schema));
  const later = (field: object) =>
    registry.register(subject, JSON.stringify({ ...schema, fields: [...schema.fields, field] }));
  await expect(later({ name: 'extra', type: 'string' })).rejects.toMatchObject({ status: 409 });
  await expect(later({ name: 'extra', type: 'string', default: '' })).resolves.toBeGreaterThan(0);
});

test('a registry that does not answer says so in one sentence', async () => {
  const registryUrl = 'http://127.0.0.1:1/apis/ccompat/v7';
  await expect(createCodec({ registryUrl })).rejects.toMatchObject({
    name: 'RegistryError',
    status: 0,
    message: `The schema registry at ${registryUrl} does not answer.`,
  });
});
