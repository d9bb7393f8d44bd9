import { createCodec, topicNames } from '@counterpart/contracts';
import { createProducer } from '@counterpart/platform-kafka';
import { asTenantId, type DeadLetter } from '@counterpart/sync-model';
import { eventually } from './eventually.js';
import { testEnv } from './test-env.js';
import { topicProbe } from './topic-probe.js';
import { uniqueTenant } from './unique-tenant.js';

const letterOf = (tenantId: string, messageId: string): DeadLetter => ({
  messageId,
  tenantId: asTenantId(tenantId),
  caseClass: 'processing-failure',
  service: 'spec',
  code: 'spec',
  detail: 'Made by a spec.',
  evidenceRef: 'none',
  occurredAtMs: 0,
});

test('a probe sees its tenant only, before and after it was opened, and bad bytes loudly', async () => {
  const { kafkaBrokers, schemaRegistryUrl } = testEnv();
  const topic = topicNames.deadLetters;
  const codec = await createCodec({ registryUrl: schemaRegistryUrl });
  const producer = createProducer({ brokers: kafkaBrokers, clientId: 'spec' });
  const [mine, other] = [uniqueTenant(), uniqueTenant()];
  const send = (tenantId: string, id: string): Promise<void> => {
    const value = codec.encode(topic, letterOf(tenantId, id));
    return producer.send([{ topic, key: tenantId, value, headers: { 'message-id': id } }]);
  };
  await send(mine, 'a');
  await send(other, 'b');
  const probe = await topicProbe(topic, mine);
  await send(mine, 'c');
  await eventually(() =>
    expect(probe.values()).toEqual([letterOf(mine, 'a'), letterOf(mine, 'c')]),
  );
  expect(probe.messages().map(({ headers }) => headers['message-id'])).toEqual(['a', 'c']);

  await producer.send([{ topic, key: mine, value: Buffer.from('junk'), headers: {} }]);
  await eventually(() => expect(() => probe.values()).toThrow('avro-magic'));
  await Promise.all([probe.close(), producer.close()]);
}, 40_000);
