import { exitCodes, explainStart } from './start-fault.js';

/**
 * The whole body of a service's `main.ts`. A start that fails prints what went wrong, one sentence
 * where the cause is known, and ends the process: 78 wrong settings, 69 a part that is not usable,
 * 70 a bug. After the start an error nobody caught is a bug too, and a process in an unknown state
 * is better restarted.
 */
export function runMain(service: string, start: () => Promise<unknown>): void {
  const end = (text: string, code: number): void => {
    process.stderr.write(`${service}: ${text}\n`, () => process.exit(code));
  };
  process.on('uncaughtException', (error) => end(error.stack ?? error.message, exitCodes.software));
  start().catch((error: unknown) => {
    const { text, code } = explainStart(error);
    end(code === exitCodes.software ? text : `cannot start: ${text}`, code);
  });
}
