import type { Resolver, Type } from 'avsc';
import { typeOf } from './avro-types.js';
import type { RegistryClient } from './registry-client.js';
import type { AvroSchema } from './schema-files.js';
import type { TopicName } from './topics.js';

/** What is known of one writer's schema, seen from one topic. */
export type WriterSchema =
  | { readonly kind: 'readable'; readonly resolver: Resolver }
  | { readonly kind: 'incompatible' }
  /** Kept for a short time only: a registry that lags may have it in a moment. */
  | { readonly kind: 'absent'; readonly untilMs: number };

export interface WriterSchemas {
  /** What is known already, without asking. */
  known(topic: TopicName, id: number): WriterSchema | undefined;
  /** Asks the registry, once for all callers of the moment. Rejects when it does not answer. */
  learn(topic: TopicName, id: number, reader: Type): Promise<WriterSchema>;
}

/** Far more than a subject ever has; a flood of made-up ids must not fill the memory. */
const entriesMax = 1_000;
/** A poison message must not make us ask for every copy of it. */
const absentKeptMs = 10_000;

function resolved(schemaJson: string, reader: Type): WriterSchema {
  try {
    const writer = typeOf(JSON.parse(schemaJson) as AvroSchema);
    return { kind: 'readable', resolver: reader.createResolver(writer) };
  } catch {
    return { kind: 'incompatible' };
  }
}

/** A bounded memory of writers' schemas; the oldest entry makes room. */
export function createWriterSchemas(registry: RegistryClient, nowMs: () => number): WriterSchemas {
  const entries = new Map<string, WriterSchema>();
  const asked = new Map<string, Promise<WriterSchema>>();

  function remember(key: string, schema: WriterSchema): void {
    const oldest = entries.keys().next().value;
    if (entries.size >= entriesMax && oldest !== undefined) entries.delete(oldest);
    entries.set(key, schema);
  }

  async function ask(key: string, id: number, reader: Type): Promise<WriterSchema> {
    try {
      const schemaJson = await registry.schemaById(id);
      const schema: WriterSchema =
        schemaJson === null
          ? { kind: 'absent', untilMs: nowMs() + absentKeptMs }
          : resolved(schemaJson, reader);
      remember(key, schema);
      return schema;
    } finally {
      asked.delete(key);
    }
  }

  return {
    known(topic, id) {
      const key = `${topic}:${id}`;
      const schema = entries.get(key);
      if (schema?.kind === 'absent' && schema.untilMs <= nowMs()) {
        entries.delete(key);
        return undefined;
      }
      return schema;
    },
    learn(topic, id, reader) {
      const key = `${topic}:${id}`;
      const running = asked.get(key);
      if (running !== undefined) return running;
      const asking = ask(key, id, reader);
      asked.set(key, asking);
      return asking;
    },
  };
}
