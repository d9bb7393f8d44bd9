import { runProgram } from '../program.js';

/** What a command line wrote and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line inside this process. */
export async function runCli(...args: readonly string[]): Promise<CliRun> {
  const texts = { out: '', err: '' };
  const out = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    texts.out += String(text);
    return true;
  });
  const err = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    texts.err += String(text);
    return true;
  });
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await runProgram(args);
    return { ...texts, code: Number(process.exitCode) };
  } finally {
    process.exitCode = before;
    out.mockRestore();
    err.mockRestore();
  }
}
