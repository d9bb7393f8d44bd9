import { resolveSecret } from '@counterpart/platform-config';

const keptMs = 5_000;

/** Secrets behind references, read again every few seconds so that a rotation needs no restart. */
export const createSecrets = (secretsDir: string, nowMs: () => number) => {
  const cache = new Map<string, { readonly value: string | null; readonly atMs: number }>();
  const read = async (ref: string): Promise<string | null> => {
    const known = cache.get(ref);
    if (known !== undefined && nowMs() - known.atMs < keptMs) return known.value;
    const result = await resolveSecret(ref, secretsDir);
    const value = result.ok ? result.value.reveal() : null;
    cache.set(ref, { value, atMs: nowMs() });
    return value;
  };
  return async (refs: readonly string[]): Promise<readonly string[]> => {
    const values = await Promise.all(refs.map(read));
    return values.flatMap((value) => value ?? []);
  };
};
