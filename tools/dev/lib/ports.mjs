import { Fault } from './fault.mjs';

/** Ports of a stack with offset 0. `kafkaController` and `jaegerOtlp` are second ports of a part. */
export const DEFAULT_PORTS = Object.freeze({
  postgres: 25432,
  redis: 26379,
  kafka: 29092,
  kafkaController: 29093,
  registry: 28081,
  jaegerUi: 16686,
  jaegerOtlp: 4318,
  ingest: 27001,
  dedupe: 27002,
  'sync-writer': 27003,
  'sync-writer-2': 27013,
  reconciler: 27004,
  'crm-sim': 27010,
});

/** Offsets of the stacks that our own commands start, so that they run beside each other. */
const STACK_OFFSETS = Object.freeze({ dev: 0, test: 1000, demo: 2000 });

/** Port offset of a stack when none is given on the command line. */
export function offsetOfStack(stackName) {
  return STACK_OFFSETS[stackName] ?? 0;
}

/** Name of the environment variable that overrides one port: `sync-writer` → `COUNTERPART_PORT_SYNC_WRITER`. */
export function portVariable(name) {
  return `COUNTERPART_PORT_${name.replace(/-|(?=[A-Z])/g, '_').toUpperCase()}`;
}

/**
 * Every port of a stack by name: the default plus `offset`, unless an environment variable names it.
 * Throws a Fault for a value that is not a port, and for one port given to two names.
 */
export function portsFor(offset, env) {
  const ports = {};
  for (const [name, port] of Object.entries(DEFAULT_PORTS)) {
    const given = env[portVariable(name)];
    ports[name] = given === undefined ? port + offset : Number(given);
    if (!Number.isInteger(ports[name]) || ports[name] < 1 || ports[name] > 65535) {
      throw new Fault(
        `${given === undefined ? '--port-offset' : portVariable(name)} gives ${name} the port ${given ?? ports[name]}; use a whole number so that ports stay within 1 to 65535.`,
      );
    }
  }
  refuseSharedPorts(ports);
  return ports;
}

function refuseSharedPorts(ports) {
  const ownerByPort = new Map();
  for (const [name, port] of Object.entries(ports)) {
    const other = ownerByPort.get(port);
    if (other) {
      throw new Fault(
        `Port ${port} is given to both ${other} and ${name}; change ${portVariable(name)}.`,
      );
    }
    ownerByPort.set(port, name);
  }
}
