import type { z } from 'zod';

/** Every fault of the environment at once; the message is ready to print. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  constructor(readonly faults: readonly string[]) {
    super(`wrong settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings named by `schema` from the environment and returns them frozen. Throws one
 * ConfigFault that lists everything wrong. An environment always holds other programs' variables,
 * so an unknown name is a fault only when it looks like a misspelling of a setting that is absent.
 * No value is ever repeated in a message: it may be a secret.
 */
export function parseConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const names = Object.keys(schema.shape);
  // An empty variable is how a shell or a chart says "not set".
  const present = Object.fromEntries(
    names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])),
  );
  const faults = misspelled(names, present, env);
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    faults.push(
      ...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${describe(issue, present)}`),
    );
  }
  if (!parsed.success || faults.length > 0) throw new ConfigFault(faults);
  return Object.freeze(parsed.data);
}

function describe(issue: z.core.$ZodIssue, present: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0]);
  return name in present ? issue.message : 'is not set';
}

function misspelled(
  names: readonly string[],
  present: Readonly<Record<string, unknown>>,
  env: Environment,
): string[] {
  const absent = names.filter((name) => !(name in present));
  return Object.keys(env).flatMap((candidate) => {
    if (names.includes(candidate)) return [];
    const meant = absent.find((name) => looksLike(candidate, name));
    return meant === undefined ? [] : [`${candidate} is no setting; did you mean ${meant}?`];
  });
}

/** One letter added, missing or changed, or another letter case. */
function looksLike(candidate: string, name: string): boolean {
  const a = candidate.toUpperCase();
  if (a === name) return true;
  if (Math.abs(a.length - name.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === name[start]) start += 1;
  const [restA, restB] = [a.slice(start), name.slice(start)];
  return restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}
