import { provision } from './provision.js';

/** `node provision-cli.js` with KAFKA_BROKERS and SCHEMA_REGISTRY_URL: topics and schemas. */
async function main(): Promise<void> {
  const { KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl } = process.env;
  if (!brokers || !registryUrl) throw new Error('set KAFKA_BROKERS and SCHEMA_REGISTRY_URL');
  const created = await provision({ brokers: brokers.split(','), registryUrl });
  process.stdout.write(`topics created: ${created.length === 0 ? 'none' : created.join(', ')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `provisioning failed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
