import type { SourceEvent } from '@counterpart/sync-model';
import type { Codec } from './codec.js';
import { ContractFault, createCodecWith } from './codec.js';
import { schemaOf } from './schema-files.js';
import { examples } from './testing/examples.js';
import type { MemoryRegistry } from './testing/memory-registry.js';
import { memoryRegistry } from './testing/memory-registry.js';
import type { TopicName } from './topics.js';
import { allTopicNames, topicNames } from './topics.js';

const events = topicNames.sourceEvents;
let registry: MemoryRegistry;
let codec: Codec;
let now = 0;

beforeEach(async () => {
  registry = memoryRegistry();
  now = 0;
  codec = await createCodecWith(registry, () => now);
});

const example = (): SourceEvent => {
  const full = examples[events][1];
  if (full === undefined) throw new Error('no example');
  return full;
};

/** A valid message that says it was written with another schema. */
function underId(bytes: Buffer, id: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeInt32BE(id, 1);
  return copy;
}

function changed(change: (fields: { name: string }[]) => unknown): object {
  const schema = structuredClone(schemaOf(events)) as unknown as { fields: { name: string }[] };
  return { ...schema, fields: change(schema.fields) };
}

describe('every message type comes back as it was written', () => {
  test.each(allTopicNames)('%s', async (topic: TopicName) => {
    for (const value of examples[topic]) {
      expect(await codec.decode(topic, codec.encode(topic, value as never))).toEqual({
        ok: true,
        value,
      });
    }
  });
});

test('encoding a value of another shape throws, it is never sent', () => {
  const wrong = { ...example(), kind: 'exploded' } as unknown as SourceEvent;
  expect(() => codec.encode(events, wrong)).toThrow('ChangeKind');
});

describe('poison', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'avro-magic'],
    ['text', Buffer.from('{"a":1}'), 'avro-magic'],
    ['a header that ends early', Buffer.from([0, 0, 0]), 'avro-truncated'],
    ['a header without a value', Buffer.from([0, 0, 0, 0, 2]), 'avro-truncated'],
    ['an id nobody has', Buffer.from([0, 0, 0, 9, 9, 1]), 'avro-unknown-schema'],
    ['a negative id', Buffer.from([0, 255, 255, 255, 255, 1]), 'avro-unknown-schema'],
  ])('%s', async (_name, bytes, code) => {
    expect(await codec.decode(events, bytes)).toMatchObject({ ok: false, code });
  });

  test('cut at any byte, it is refused and says so', async () => {
    const bytes = codec.encode(events, example());
    for (let length = 5; length < bytes.length; length += 1) {
      const read = await codec.decode(events, bytes.subarray(0, length));
      expect([length, read.ok]).toEqual([length, false]);
    }
  });

  test('with any one byte damaged, it is read or refused, and at once', async () => {
    const bytes = codec.encode(events, example());
    const startedAt = performance.now();
    for (let at = 5; at < bytes.length; at += 1) {
      for (const damage of [0x01, 0x40, 0x80, 0xff]) {
        const copy = Buffer.from(bytes);
        copy.writeUInt8(copy.readUInt8(at) ^ damage, at);
        expect(typeof (await codec.decode(events, copy)).ok).toBe('boolean');
      }
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('bytes behind the value are no value', async () => {
    const bytes = Buffer.concat([codec.encode(events, example()), Buffer.from([0])]);
    expect(await codec.decode(events, bytes)).toMatchObject({ ok: false, code: 'avro-type' });
  });

  test('a count of items that cannot be there is refused before they are looked for', async () => {
    const zigzag = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    const bytes = codec.encode(events, { ...example(), fields: {}, relations: [] });
    const at = bytes.indexOf(Buffer.from([0, 0, 2, 32])); // fields, relations, revision
    expect(at).toBeGreaterThan(0);
    const hostile = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(zigzag),
      bytes.subarray(at + 1),
    ]);
    const read = await codec.decode(events, hostile);
    expect(read).toMatchObject({ ok: false, code: 'avro-truncated' });
  });

  test('relations nested without end are refused, and the next message is read', async () => {
    let relation = { role: 'a', recordType: 'b', externalId: null, fields: {}, relations: [] };
    for (let depth = 0; depth < 3_000; depth += 1) {
      relation = { ...relation, relations: [relation] as never };
    }
    const bytes = codec.encode(events, { ...example(), relations: [relation] });
    expect(await codec.decode(events, bytes)).toMatchObject({ ok: false, code: 'avro-type' });
    const next = await codec.decode(events, codec.encode(events, example()));
    expect(next.ok).toBe(true);
  });

  test('field names of objects are names like any other', async () => {
    const fields: unknown = JSON.parse('{"__proto__":"x","constructor":"y","toString":null}');
    const bytes = codec.encode(events, { ...example(), fields: fields as SourceEvent['fields'] });
    const read = await codec.decode(events, bytes);
    if (!read.ok) throw new Error(read.code);
    expect(Object.entries(read.value.fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', null],
    ]);
    expect(read.value.fields['valueOf']).toBeUndefined();
    expect('x' in Object.prototype).toBe(false);
  });
});

describe('other versions of a schema', () => {
  test('an older writer without a field: its default', async () => {
    const older = changed((fields) => fields.filter(({ name }) => name !== 'backfill'));
    const bytes = codec.encode(events, { ...example(), backfill: false });
    const read = await codec.decode(events, underId(bytes.subarray(0, -1), registry.add(older)));
    expect(read).toEqual({ ok: true, value: { ...example(), backfill: false } });
  });

  test('a newer writer with a field we do not know: passed over', async () => {
    const extra = { name: 'later', type: 'string', default: '' };
    const newer = changed((fields) => [...fields, extra]);
    const bytes = Buffer.concat([codec.encode(events, example()), Buffer.from([2, 120])]);
    const read = await codec.decode(events, underId(bytes, registry.add(newer)));
    expect(read).toEqual({ ok: true, value: example() });
  });

  test('a symbol we do not know is read as the default symbol', async () => {
    const newer = JSON.parse(
      JSON.stringify(schemaOf(events)).replace('"readback"],"default"', '"swapped"],"default"'),
    ) as object;
    expect(JSON.stringify(newer)).toContain('swapped');
    const bytes = codec.encode(events, { ...example(), kind: 'readback' });
    const read = await codec.decode(events, underId(bytes, registry.add(newer)));
    expect(read).toEqual({ ok: true, value: { ...example(), kind: 'changed' } });
  });

  test('a schema that is no event at all', async () => {
    const id = registry.add({ type: 'record', name: 'Other', fields: [] });
    const read = await codec.decode(events, underId(codec.encode(events, example()), id));
    expect(read).toMatchObject({ ok: false, code: 'avro-type' });
  });
});

describe('the registry is asked as little as possible', () => {
  const copy = (id: number): Buffer => underId(codec.encode(events, example()), id);

  test('once for an id, however many wait for it; then never again', async () => {
    const id = registry.add(schemaOf(events) as object);
    const reads = await Promise.all([1, 2, 3].map(async () => codec.decode(events, copy(id))));
    expect(reads.every(({ ok }) => ok)).toBe(true);
    registry.isDown = true;
    expect(await codec.decode(events, copy(id))).toMatchObject({ ok: true });
    expect(registry.asked()).toBe(1);
  });

  test('a known id is answered without a promise', () => {
    expect(codec.decode(events, codec.encode(events, example()))).toMatchObject({ ok: true });
    expect(registry.asked()).toBe(0);
  });

  test('an unknown id is not asked for again within ten seconds', async () => {
    for (let n = 0; n < 5; n += 1) await codec.decode(events, copy(999));
    expect(registry.asked()).toBe(1);
    now = 10_000;
    await codec.decode(events, copy(999));
    expect(registry.asked()).toBe(2);
  });

  test('a registry that is down makes a new id wait, it does not condemn the message', async () => {
    const id = registry.add(schemaOf(events) as object);
    registry.isDown = true;
    await expect(codec.decode(events, copy(id))).rejects.toMatchObject({ name: 'RegistryError' });
    registry.isDown = false;
    expect(await codec.decode(events, copy(id))).toMatchObject({ ok: true });
  });

  test('a schema that is not registered stops the start, with all names at once', async () => {
    registry.idOf = () => Promise.resolve(null);
    const starting = createCodecWith(registry);
    await expect(starting).rejects.toBeInstanceOf(ContractFault);
    await expect(starting).rejects.toThrow(/source-events\.v1-value.*provision-cli\.js/);
  });
});
