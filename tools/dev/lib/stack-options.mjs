import { readArguments, readOffset } from './arguments.mjs';
import { Fault } from './fault.mjs';
import { OPTIONAL_PARTS } from './parts/all.mjs';
import { offsetOfStack, portsFor } from './ports.mjs';
import { stackPaths } from './stack-paths.mjs';

/** Options that every command which starts a stack has. */
const STACK_OPTIONS = {
  stack: { type: 'string' },
  with: { type: 'string', multiple: true, default: [] },
  'port-offset': { type: 'string' },
};

/**
 * Reads a command line that starts a stack. Returns the values and the start request
 * `{paths, ports, withJaeger}`; throws a Fault for anything that cannot be.
 * @param {{usage: string, stack: string, options?: object}} command its help, default stack and further options
 */
export function readStackOptions({ usage, stack, options = {} }, env = process.env) {
  const values = readArguments(usage, { ...STACK_OPTIONS, ...options });
  const unknown = values.with.find((name) => !OPTIONAL_PARTS.includes(name));
  if (unknown) throw new Fault(`--with takes ${OPTIONAL_PARTS.join(' or ')}, not "${unknown}".`);
  const name = values.stack ?? stack;
  const offset = readOffset(values['port-offset'], offsetOfStack(name));
  const request = {
    paths: stackPaths(name),
    ports: portsFor(offset, env),
    withJaeger: values.with.includes('jaeger'),
  };
  return { values, request };
}
