import type { Command } from 'commander';
import { readStackEnv } from '@counterpart/scenario';
import { checkoutRoot } from './open-stack.js';

/** Where the services of an installation are. */
export interface Target {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  readonly reconcilerUrl: string;
  /** Services that keep plans, with their addresses. */
  readonly planKeepers: readonly (readonly [string, string])[];
}

export interface TargetFlags {
  readonly stack: string;
  readonly kafka?: string;
  readonly registry?: string;
  readonly services?: string;
}

const keepers = ['ingest', 'dedupe', 'sync-writer', 'reconciler'];

/** Adds the options that say which installation a command speaks to. */
export function targetOptions(command: Command): Command {
  return command
    .option('--stack <name>', 'a stack of this checkout', 'dev')
    .option('--kafka <host:port,…>', 'brokers of an installation elsewhere')
    .option('--registry <url>', 'its schema registry')
    .option('--services <name=url,…>', 'its services: ingest, dedupe, sync-writer, reconciler');
}

/** Explicit addresses win over the stack. Throws one sentence when the stack is not there. */
export function readTarget(flags: TargetFlags): Target {
  const isElsewhere =
    flags.kafka !== undefined && flags.registry !== undefined && flags.services !== undefined;
  const env = isElsewhere ? undefined : readStackEnv(checkoutRoot, flags.stack);
  const services =
    flags.services === undefined ? (env?.services ?? {}) : parseServices(flags.services);
  return {
    brokers: flags.kafka?.split(',') ?? env?.kafkaBrokers ?? [],
    registryUrl: flags.registry ?? env?.schemaRegistryUrl ?? '',
    reconcilerUrl: services['reconciler'] ?? '',
    planKeepers: keepers.flatMap((name) => {
      const url = services[name];
      return url === undefined ? [] : [[name, url] as const];
    }),
  };
}

const parseServices = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((part) => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1).replace(/\/+$/, '')] as const] : [];
    }),
  );
