import { InvalidArgumentError, type Command } from 'commander';
import { readStackEnv } from '@counterpart/scenario';
import { checkoutRoot } from './open-stack.js';

/** Where the services of an installation are. */
export interface Target {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  /** undefined: not named. */
  readonly reconcilerUrl: string | undefined;
  /** Services that keep plans, with their addresses. */
  readonly planKeepers: readonly (readonly [string, string])[];
}

export interface TargetFlags {
  readonly stack: string;
  readonly kafka?: string;
  readonly registry?: string;
  readonly services?: Readonly<Record<string, string>>;
}

const keepers = ['ingest', 'dedupe', 'sync-writer', 'reconciler'];

/** Adds the options that say which installation a command speaks to. */
export function targetOptions(command: Command): Command {
  return command
    .option('--stack <name>', 'a stack of this checkout', 'dev')
    .option('--kafka <host:port,…>', 'brokers of an installation elsewhere')
    .option('--registry <url>', 'its schema registry')
    .option('--services <name=url,…>', `its services: ${keepers.join(', ')}`, parseServices);
}

/** Explicit addresses win over the stack. Throws one sentence when the stack is not there. */
export function readTarget(flags: TargetFlags): Target {
  const isElsewhere =
    flags.kafka !== undefined && flags.registry !== undefined && flags.services !== undefined;
  const env = isElsewhere ? undefined : readStackEnv(checkoutRoot, flags.stack);
  const services = flags.services ?? env?.services ?? {};
  return {
    brokers: flags.kafka?.split(',') ?? env?.kafkaBrokers ?? [],
    registryUrl: flags.registry ?? env?.schemaRegistryUrl ?? '',
    reconcilerUrl: services['reconciler'],
    planKeepers: keepers.flatMap((name) => {
      const url = services[name];
      return url === undefined ? [] : [[name, url] as const];
    }),
  };
}

/** `ingest=http://…,dedupe=http://…` as a table, without trailing slashes. */
function parseServices(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((part) => {
    const at = part.indexOf('=');
    const [name, url] = [part.slice(0, Math.max(at, 0)), part.slice(at + 1)];
    if (!keepers.includes(name) || !URL.canParse(url))
      throw new InvalidArgumentError(
        `Write name=url for any of ${keepers.join(', ')}, separated by commas.`,
      );
    return [name, url.replace(/\/+$/, '')] as const;
  });
  return Object.fromEntries(pairs);
}
