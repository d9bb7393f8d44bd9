import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicName } from './topics.js';
import { topics } from './topics.js';

/** A parsed Avro schema: a name, a union or an object. */
export type AvroSchema = string | readonly AvroSchema[] | { readonly [key: string]: unknown };

const schemasFolder = join(__dirname, '..', 'schemas');

/** One schema file as it is written. Throws when it is missing or no JSON. */
export function readSchemaFile(file: string): AvroSchema {
  return JSON.parse(readFileSync(join(schemasFolder, file), 'utf8')) as AvroSchema;
}

/**
 * Replaces the first mention of each name that another file defines by its definition, because a
 * registered schema must stand alone. Later mentions stay names, as Avro asks.
 */
function inlineReferences(
  schema: AvroSchema,
  foreign: ReadonlyMap<string, AvroSchema>,
): AvroSchema {
  const placed = new Set<string>();
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string') {
      const definition = foreign.get(node);
      if (definition === undefined || placed.has(node)) return node;
      placed.add(node);
      return visit(definition);
    }
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const typed = new Set(['type', 'items', 'values', 'fields']);
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, typed.has(key) ? visit(value) : value]),
    );
  };
  return visit(schema) as AvroSchema;
}

/** The complete schema of a topic's values, ready to be registered. */
export function schemaOf(topic: TopicName): AvroSchema {
  const own = topics[topic].schema;
  const foreign = new Map<string, AvroSchema>();
  for (const { schema } of Object.values(topics)) {
    if (schema.name !== own.name) foreign.set(schema.name, readSchemaFile(schema.file));
  }
  return inlineReferences(readSchemaFile(own.file), foreign);
}
