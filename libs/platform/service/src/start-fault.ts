/** Exit codes as in sysexits.h, so that a supervisor can tell a wrong setting from a broken part. */
export const exitCodes = { software: 70, unavailable: 69, config: 78 } as const;

/** A reason not to start that the operator can act on. The message is one sentence. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.unavailable,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** The `code` of an error, or an empty text. */
export const codeOf = (error: unknown): string => {
  const known = typeof error === 'object' && error !== null && 'code' in error;
  return known && typeof error.code === 'string' ? error.code : '';
};

/** What is said, and the exit code, for whatever ended a start. Unknown errors keep their stack. */
export function explainStart(error: unknown): { readonly text: string; readonly code: number } {
  if (error instanceof StartFault) return { text: error.message, code: error.exitCode };
  if (error instanceof Error && error.name === 'ConfigFault') {
    return { text: error.message, code: exitCodes.config };
  }
  if (codeOf(error) === 'EADDRNOTAVAIL' || codeOf(error) === 'EACCES') {
    return { text: `the address cannot be listened on (${codeOf(error)})`, code: exitCodes.config };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, code: exitCodes.software };
}

/**
 * Awaits one part that the service cannot start without. `name` is how an operator knows it:
 * `PostgreSQL (DATABASE_URL)`. Throws a StartFault that names it and the code of what went wrong.
 */
export async function requirePart<T>(name: string, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (error instanceof StartFault) throw error;
    const code = codeOf(error);
    const reason = error instanceof Error ? error.message : String(error);
    const why = code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
    throw new StartFault(`${name} is not usable: ${why}`, exitCodes.unavailable, { cause: error });
  }
}
