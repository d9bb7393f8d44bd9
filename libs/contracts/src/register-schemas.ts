import { createRegistryClient } from './registry-client.js';
import { schemaOf } from './schema-files.js';
import { allTopicNames, subjectOf } from './topics.js';

const level = 'FULL_TRANSITIVE';

/**
 * Registers every schema, safe to repeat. The compatibility level is set before a subject's first
 * version, so that no version ever existed under a weaker one. Rejects with `RegistryError` 409
 * when a schema does not fit its earlier versions.
 */
export async function registerSchemas(registryUrl: string): Promise<void> {
  const registry = createRegistryClient(registryUrl);
  for (const topic of allTopicNames) {
    const subject = subjectOf(topic);
    if ((await registry.compatibility(subject)) !== level)
      await registry.setCompatibility(subject, level);
    await registry.register(subject, JSON.stringify(schemaOf(topic)));
  }
}
