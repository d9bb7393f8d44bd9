/**
 * Values to bytes and back, in the Confluent wire format: a zero byte, the schema's id in four
 * bytes, the Avro value. Writing uses the schema of this version, whose id is asked for once at
 * start. Reading resolves the writer's schema to ours; the resolver of each id is built once and
 * kept, because building it costs two hundred times as much as using it. So known ids go on being
 * read while the registry is down.
 */
import type { Resolver, Type } from 'avsc';
import { readValue, TruncatedError, typeOf } from './avro-types.js';
import { createRegistryClient, type RegistryClient } from './registry-client.js';
import { schemaOf } from './schema-files.js';
import { allTopicNames, subjectOf, topics, type TopicName, type TopicValue } from './topics.js';

export type DecodeCode = 'avro-magic' | 'avro-truncated' | 'avro-unknown-schema' | 'avro-type';

export type DecodeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: DecodeCode; readonly detail: string };

export interface Codec {
  /** Throws on a value that is not of the topic's type: that is a bug, never input. */
  encode<T extends TopicName>(topic: T, value: TopicValue<T>): Buffer;
  /**
   * Never throws for what the bytes say. Rejects with `RegistryError` only when the id is new to
   * this process and the registry cannot be asked: then the message is to be read again later.
   */
  decode<T extends TopicName>(topic: T, bytes: Buffer): Promise<DecodeResult<TopicValue<T>>>;
}

const headerBytes = 5;
const resolversMax = 1_000;
/** An id that the registry does not know is not asked for again at once. */
const unknownIdMs = 30_000;

/** Asks the registry for the ids of every schema we write; rejects when one is not registered. */
export async function createCodec(options: {
  readonly registryUrl: string;
  readonly nowMs?: () => number;
}): Promise<Codec> {
  const registry = createRegistryClient(options.registryUrl);
  const writers = new Map<TopicName, { readonly id: number; readonly type: Type }>();
  await Promise.all(
    allTopicNames.map(async (topic) => {
      const schema = schemaOf(topic);
      const id = await registry.idOf(subjectOf(topic), JSON.stringify(schema));
      if (id === null)
        throw new Error(
          `the schema of ${topic} is not registered: run the provisioning of this version first`,
        );
      writers.set(topic, { id, type: typeOf(schema) });
    }),
  );
  return codecOn(registry, writers, options.nowMs ?? Date.now);
}

function codecOn(
  registry: RegistryClient,
  writers: ReadonlyMap<TopicName, { readonly id: number; readonly type: Type }>,
  nowMs: () => number,
): Codec {
  const writerOf = (topic: TopicName) => {
    const writer = writers.get(topic);
    if (writer === undefined) throw new Error(`no schema for ${topic}`);
    return writer;
  };
  const resolvers = createResolvers(registry, nowMs);
  return {
    encode(topic, value) {
      const { id, type } = writerOf(topic);
      const body = type.toBuffer(value);
      const bytes = Buffer.allocUnsafe(headerBytes + body.length);
      bytes.writeUInt8(0, 0);
      bytes.writeUInt32BE(id, 1);
      body.copy(bytes, headerBytes);
      return bytes;
    },
    async decode(topic, bytes) {
      if (bytes.length < headerBytes) return fault('avro-truncated', 'shorter than its header');
      if (bytes[0] !== 0) return fault('avro-magic', 'does not begin with a zero byte');
      const { id, type } = writerOf(topic);
      const writtenId = bytes.readUInt32BE(1);
      const resolver = writtenId === id ? undefined : await resolvers.of(topic, type, writtenId);
      if (resolver === null)
        return fault(
          'avro-unknown-schema',
          `schema ${writtenId} does not fit ${topics[topic].schema.name}`,
        );
      return readBody<TopicValue<typeof topic>>(type, bytes.subarray(headerBytes), resolver);
    },
  };
}

function readBody<T>(type: Type, body: Buffer, resolver: Resolver | undefined): DecodeResult<T> {
  try {
    return { ok: true, value: readValue(type, body, resolver) as T };
  } catch (error) {
    return error instanceof TruncatedError
      ? fault('avro-truncated', 'the value ends too early')
      : fault('avro-type', 'the bytes are no value of the schema');
  }
}

const fault = (code: DecodeCode, detail: string) => ({ ok: false, code, detail }) as const;

/** Resolvers by topic and writer id; null for an id that does not exist or does not fit. */
function createResolvers(registry: RegistryClient, nowMs: () => number) {
  const known = new Map<string, Resolver>();
  const refused = new Map<string, number>();
  const asking = new Map<string, Promise<Resolver | null>>();

  const ask = async (key: string, reader: Type, id: number): Promise<Resolver | null> => {
    const text = await registry.schemaById(id);
    const resolver = text === null ? null : resolverOf(reader, text);
    if (resolver === null) refused.set(key, nowMs() + unknownIdMs);
    else {
      if (known.size >= resolversMax) known.clear();
      known.set(key, resolver);
    }
    return resolver;
  };
  return {
    async of(topic: TopicName, reader: Type, id: number): Promise<Resolver | null> {
      const key = `${topic}/${id}`;
      const ready = known.get(key);
      if (ready !== undefined) return ready;
      if ((refused.get(key) ?? 0) > nowMs()) return null;
      if (refused.size >= resolversMax) refused.clear();
      const pending = asking.get(key) ?? ask(key, reader, id).finally(() => asking.delete(key));
      asking.set(key, pending);
      return pending;
    },
  };
}

function resolverOf(reader: Type, schemaText: string): Resolver | null {
  try {
    return reader.createResolver(typeOf(JSON.parse(schemaText)));
  } catch {
    return null;
  }
}
