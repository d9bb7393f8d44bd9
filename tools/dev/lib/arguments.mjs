import { parseArgs } from 'node:util';
import { Fault } from './fault.mjs';

/**
 * Options of a command line. Throws a Fault for anything unknown; prints `usage` and exits for --help.
 * @param {string} usage first line of the help @param options as of `node:util` parseArgs
 */
export function readArguments(usage, options, { allowPositionals = false } = {}) {
  try {
    const all = { ...options, help: { type: 'boolean', short: 'h' } };
    const { values, positionals } = parseArgs({ options: all, allowPositionals });
    if (values.help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    return { ...values, positionals };
  } catch (error) {
    throw new Fault(
      `${error.message.split('\n')[0].replace(/\.$/, '')}; usage: ${usage.split('\n')[0]}`,
    );
  }
}

/** Value of --port-offset as a number, or `fallback` when it was not given. */
export function readOffset(text, fallback) {
  if (text === undefined) return fallback;
  const offset = Number(text);
  if (Number.isInteger(offset)) return offset;
  throw new Fault(`--port-offset takes a whole number, not "${text}".`);
}
