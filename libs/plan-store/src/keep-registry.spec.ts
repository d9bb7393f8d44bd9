import type { Codec } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import { asTenantId, type RegistryEntry } from '@counterpart/sync-model';
import { keepRegistry } from './keep-registry.js';

const message = (name: string): InboundMessage => ({
  topic: 'counterpart.source-registry.v1',
  partition: 0,
  offset: '7',
  key: 'acme',
  value: Buffer.from(name),
  headers: {},
  timestampMs: 0,
});
const entry = (planJson: string, tenantId = 'acme'): RegistryEntry => ({
  tenantId: asTenantId(tenantId),
  version: 1,
  planJson,
  publishedAtMs: 1,
});

/** A codec that reads `entries` by the text of the message. */
const run = async (entries: Readonly<Record<string, RegistryEntry>>, ...names: string[]) => {
  const kept: string[] = [];
  const unreadable: string[] = [];
  const decode = (_topic: string, value: Buffer) => {
    const found = entries[value.toString()];
    return found ? { ok: true, value: found } : { ok: false, code: 'avro-magic', detail: '' };
  };
  const keep = keepRegistry({
    codec: { decode } as unknown as Codec,
    store: {
      apply: async (batch) => void kept.push(...batch.map(({ planJson }) => planJson)),
      planOf: async () => null,
      all: async () => [],
    },
    onUnreadable: (_message, code) => unreadable.push(code),
  });
  await keep(names.map(message));
  return { kept, unreadable };
};

test('a message that cannot be read harms no neighbour', async () => {
  const good = entry('{"a":1}');
  expect(await run({ good }, 'junk', 'good', '')).toEqual({
    kept: ['{"a":1}'],
    unreadable: ['avro-magic'],
  });
});

test.each([
  ['no JSON', entry('{')],
  ['NUL in a value', entry('{"a":"\\u0000"}')],
  ['half a surrogate pair in a key', entry('{"\\ud800":1}')],
  ['a number PostgreSQL has no room for', entry('{"a":1e400000}')],
  ['NUL in the tenant', entry('{}', 'ac\0me')],
])('what PostgreSQL cannot store is left behind: %s', async (_name, bad) => {
  expect(await run({ bad, good: entry('{"b":1}') }, 'bad', 'good')).toEqual({
    kept: ['{"b":1}'],
    unreadable: ['plan-unstorable'],
  });
});

test('a removal has no JSON at all', async () => {
  expect(await run({ removal: entry('') }, 'removal')).toEqual({ kept: [''], unreadable: [] });
});
