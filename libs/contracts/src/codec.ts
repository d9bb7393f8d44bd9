/**
 * Values to bytes and back, in the Confluent wire format: a zero byte, four bytes of schema id,
 * then Avro. Reading resolves the writer's schema into ours; that resolver costs a hundred times
 * the reading itself, so it is made once per topic and schema id and kept.
 */
import type { Resolver, Type } from 'avsc';
import { TruncatedError, readValue, typeOf } from './avro-types.js';
import type { RegistryClient } from './registry-client.js';
import { createRegistryClient } from './registry-client.js';
import type { AvroSchema } from './schema-files.js';
import { schemaOf } from './schema-files.js';
import type { TopicName, TopicValue } from './topics.js';
import { allTopicNames, subjectOf } from './topics.js';
import { createWriterSchemas } from './writer-schemas.js';

/** Why bytes are no value of their topic. Stable codes; a message like this will never be one. */
export type DecodeCode = 'avro-magic' | 'avro-truncated' | 'avro-unknown-schema' | 'avro-type';

export type DecodeResult<V> =
  | { readonly ok: true; readonly value: V }
  /** `detail` is a sentence without any content of the message. */
  | { readonly ok: false; readonly code: DecodeCode; readonly detail: string };

export interface Codec {
  /** Throws when the value does not fit its schema: that is a bug of the caller. */
  encode<T extends TopicName>(topic: T, value: TopicValue<T>): Buffer;
  /**
   * Never throws for anything the bytes can hold. The answer is there at once when the schema id
   * was seen before, so that known ids are read while the registry is down. For a new id the
   * registry is asked; if it does not answer, the promise rejects with `RegistryError`: the
   * message may be perfectly good, so let the batch come again.
   */
  decode<T extends TopicName>(
    topic: T,
    bytes: Buffer,
  ): DecodeResult<TopicValue<T>> | Promise<DecodeResult<TopicValue<T>>>;
}

/** The registry does not hold what this build writes. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault';
  readonly code = 'schema-not-registered';
}

const headerBytes = 5;
const magicByte = 0;

interface OwnSchema {
  readonly type: Type;
  readonly id: number;
  readonly header: Buffer;
}

function headerOf(id: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeInt32BE(id, 1);
  return header;
}

async function ownSchemas(registry: RegistryClient): Promise<ReadonlyMap<TopicName, OwnSchema>> {
  const missing: string[] = [];
  const found = await Promise.all(
    allTopicNames.map(async (topic): Promise<[TopicName, OwnSchema] | undefined> => {
      const schema: AvroSchema = schemaOf(topic);
      const id = await registry.idOf(subjectOf(topic), JSON.stringify(schema));
      if (id === null) {
        missing.push(subjectOf(topic));
        return undefined;
      }
      return [topic, { type: typeOf(schema), id, header: headerOf(id) }];
    }),
  );
  if (missing.length > 0) {
    throw new ContractFault(
      `The schema registry does not hold this version of ${missing.join(', ')}. ` +
        'Register it with: node libs/contracts/dist/provision-cli.js',
    );
  }
  return new Map(found.filter((entry) => entry !== undefined));
}

const refused = (code: DecodeCode, detail: string): DecodeResult<never> => ({
  ok: false,
  code,
  detail,
});

function readBody<T extends TopicName>(
  type: Type,
  bytes: Buffer,
  resolver: Resolver | undefined,
): DecodeResult<TopicValue<T>> {
  try {
    const value = readValue(type, bytes.subarray(headerBytes), resolver);
    return { ok: true, value: value as TopicValue<T> };
  } catch (error) {
    return error instanceof TruncatedError
      ? refused('avro-truncated', 'The message ends before its value does.')
      : refused('avro-type', 'The bytes are no value of the schema they name.');
  }
}

/** As `createCodec`, with a registry client of the caller's. */
export async function createCodecWith(
  registry: RegistryClient,
  nowMs: () => number = () => performance.now(),
): Promise<Codec> {
  const own = await ownSchemas(registry);
  const ownOf = (topic: TopicName): OwnSchema => {
    const schema = own.get(topic);
    if (schema === undefined) throw new TypeError(`no such topic: ${topic}`);
    return schema;
  };
  const writers = createWriterSchemas(registry, nowMs);

  return {
    encode(topic, value) {
      const { type, header } = ownOf(topic);
      return Buffer.concat([header, type.toBuffer(value)]);
    },
    decode<T extends TopicName>(topic: T, bytes: Buffer) {
      const { type, id: ownId } = ownOf(topic);
      if (bytes[0] !== magicByte) return refused('avro-magic', 'The first byte is not zero.');
      if (bytes.length < headerBytes) {
        return refused('avro-truncated', 'The message is shorter than its header.');
      }
      const id = bytes.readInt32BE(1);
      if (id === ownId) return readBody<T>(type, bytes, undefined);

      const finish = (writer: ReturnType<typeof writers.known>): DecodeResult<TopicValue<T>> => {
        if (writer === undefined || writer.kind === 'absent') {
          return refused('avro-unknown-schema', `The registry has no schema ${id}.`);
        }
        return writer.kind === 'incompatible'
          ? refused('avro-type', `Schema ${id} cannot be read as ${subjectOf(topic)}.`)
          : readBody<T>(type, bytes, writer.resolver);
      };
      const known = writers.known(topic, id);
      return known === undefined ? writers.learn(topic, id, type).then(finish) : finish(known);
    },
  };
}

/**
 * Looks up the ids under which the registry holds our schemas, and returns the codec. Rejects with
 * `ContractFault` when one is not registered and with `RegistryError` when nothing answers.
 * Services never register schemas themselves; `provision-cli` does.
 */
export function createCodec(options: { readonly registryUrl: string }): Promise<Codec> {
  return createCodecWith(createRegistryClient(options.registryUrl));
}
