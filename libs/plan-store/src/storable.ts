import type { RegistryEntry } from '@counterpart/sync-model';

/** NUL, and halves of surrogate pairs: PostgreSQL has no text and no jsonb with them. */
const unstorable = /[\0\ud800-\udfff]/u;

/**
 * Whether PostgreSQL can keep an entry. One that it cannot would fail the whole batch, which would
 * then come again for ever and stop every tenant's plans.
 */
export function isStorable({ tenantId, version, planJson }: RegistryEntry): boolean {
  if (unstorable.test(tenantId) || !Number.isSafeInteger(version)) return false;
  // An empty plan text removes the tenant.
  if (planJson === '') return true;
  let isClean = true;
  const look = (key: string, value: unknown): unknown => {
    if (unstorable.test(key) || (typeof value === 'string' && unstorable.test(value)))
      isClean = false;
    if (typeof value === 'number' && !Number.isFinite(value)) isClean = false;
    return value;
  };
  try {
    JSON.parse(planJson, look);
  } catch {
    return false;
  }
  return isClean;
}
