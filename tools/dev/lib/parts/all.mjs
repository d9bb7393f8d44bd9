import { jaeger } from './jaeger.mjs';
import { kafka } from './kafka.mjs';
import { postgres } from './postgres.mjs';
import { redis } from './redis.mjs';
import { registry } from './registry.mjs';

/**
 * The parts of the infrastructure. Each has `name`, `ports` (names in ports.mjs), `stopSignal`,
 * `install(context)` (get what is missing), `launch(context)` and `ready(context)` (resolves when it
 * answers its own protocol), where the context is `{paths, ports, say}`; `ready` also takes `giveUp`,
 * asked between tries.
 */
const PARTS = { postgres, redis, kafka, registry, jaeger };

/** Parts that every stack has. Kafka first: it takes longest. */
export const CORE_PARTS = Object.freeze(['kafka', 'registry', 'postgres', 'redis']);

/** Parts started only when asked for with `--with`. */
export const OPTIONAL_PARTS = Object.freeze(['jaeger']);

/** Every part a stack may have. */
export const ALL_PARTS = Object.freeze([...CORE_PARTS, ...OPTIONAL_PARTS]);

/** The part of that name. Throws for an unknown one. */
export function partNamed(name) {
  const part = PARTS[name];
  if (!part) throw new Error(`no part of the infrastructure is called ${name}`);
  return part;
}
