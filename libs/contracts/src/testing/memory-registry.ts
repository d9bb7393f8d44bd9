import type { RegistryClient } from '../registry-client.js';
import { RegistryError } from '../registry-client.js';
import { schemaOf } from '../schema-files.js';
import { allTopicNames, subjectOf } from '../topics.js';

export interface MemoryRegistry extends RegistryClient {
  /** Adds a schema under no subject and returns its id. */
  add(schema: object): number;
  /** How often a schema was asked for by its id. */
  asked(): number;
  isDown: boolean;
}

/** A registry in memory that knows our schemas, for specs; can be down. */
export function memoryRegistry(): MemoryRegistry {
  const schemas = new Map<number, string>();
  const subjects = new Map<string, number>();
  const levels = new Map<string, string>();
  let asked = 0;
  const put = (text: string): number => {
    schemas.set(schemas.size + 1, text);
    return schemas.size;
  };
  for (const topic of allTopicNames) {
    subjects.set(subjectOf(topic), put(JSON.stringify(schemaOf(topic))));
  }
  const registry: MemoryRegistry = {
    isDown: false,
    add: (schema) => put(JSON.stringify(schema)),
    asked: () => asked,
    async schemaById(id) {
      asked += 1;
      await Promise.resolve();
      if (registry.isDown) throw new RegistryError(0, 'down');
      return schemas.get(id) ?? null;
    },
    idOf: (subject) => Promise.resolve(subjects.get(subject) ?? null),
    register: (_subject, text) => Promise.resolve(put(text)),
    compatibility: (subject) => Promise.resolve(levels.get(subject) ?? null),
    setCompatibility: (subject, level) => {
      levels.set(subject, level);
      return Promise.resolve();
    },
  };
  return registry;
}
