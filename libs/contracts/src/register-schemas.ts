import type { RegistryClient } from './registry-client.js';
import { RegistryError, createRegistryClient } from './registry-client.js';
import { schemaOf } from './schema-files.js';
import type { TopicName } from './topics.js';
import { allTopicNames, subjectOf } from './topics.js';

/** Readers and writers may be upgraded in any order, and old messages are read again. */
export const compatibilityLevel = 'FULL_TRANSITIVE';

/** A schema of this build cannot be read together with what the registry already holds. */
export class IncompatibleSchemaError extends Error {
  override readonly name = 'IncompatibleSchemaError';
}

async function registerOne(registry: RegistryClient, topic: TopicName): Promise<number> {
  const subject = subjectOf(topic);
  // The level comes first: a registry's own default would let the first wrong change in.
  if ((await registry.compatibility(subject)) !== compatibilityLevel) {
    await registry.setCompatibility(subject, compatibilityLevel);
  }
  try {
    return await registry.register(subject, JSON.stringify(schemaOf(topic)));
  } catch (error) {
    if (error instanceof RegistryError && error.status === 409) {
      throw new IncompatibleSchemaError(
        `${subject}: this version is not compatible (${compatibilityLevel}) with an earlier one. ` +
          'Add fields with defaults only; never rename, retype or remove one.',
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Registers every topic's schema; returns the ids. Safe to repeat: a known schema keeps its id.
 * Rejects with `IncompatibleSchemaError`, or with `RegistryError` when nothing answers.
 */
export async function registerSchemas(
  registryUrl: string,
): Promise<ReadonlyMap<TopicName, number>> {
  const registry = createRegistryClient(registryUrl);
  const ids = new Map<TopicName, number>();
  for (const topic of allTopicNames) ids.set(topic, await registerOne(registry, topic));
  return ids;
}
