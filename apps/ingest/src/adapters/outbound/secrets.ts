import { resolveSecret } from '@counterpart/platform-config';

const keptMs = 5_000;

/** Secrets behind references, read again every few seconds so that a rotation needs no restart. */
export const createSecrets = (ports: {
  readonly secretsDir: string;
  readonly nowMs: () => number;
  /** Told when a reference leads to no secret; its source then verifies nothing with it. */
  readonly onUnreadable: (code: string, detail: string) => void;
}) => {
  const cache = new Map<string, { readonly value: string | null; readonly atMs: number }>();
  const read = async (ref: string): Promise<string | null> => {
    const known = cache.get(ref);
    if (known !== undefined && ports.nowMs() - known.atMs < keptMs) return known.value;
    const result = await resolveSecret(ref, ports.secretsDir);
    const value = result.ok ? result.value.reveal() : null;
    if (!result.ok && known?.value !== null) ports.onUnreadable(result.code, result.detail);
    cache.set(ref, { value, atMs: ports.nowMs() });
    return value;
  };
  return async (refs: readonly string[]): Promise<readonly string[]> => {
    const values = await Promise.all(refs.map(read));
    return values.flatMap((value) => value ?? []);
  };
};
