/**
 * Something the person at the keyboard can put right. Its message is one sentence that says what to
 * do, after the output of another program where one failed; it is printed without a stack trace and
 * ends the command with exit code 2.
 */
export class Fault extends Error {
  name = 'Fault';
}

/** Exit code of a command stopped by a {@link Fault}. */
export const FAULT_EXIT_CODE = 2;

/**
 * Runs a command's main function and turns its end into an exit code: the number it resolves to,
 * 2 for a {@link Fault} (one sentence on stderr), 1 for anything else (with its stack).
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (error instanceof Fault) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = FAULT_EXIT_CODE;
      return;
    }
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exitCode = 1;
  }
}
