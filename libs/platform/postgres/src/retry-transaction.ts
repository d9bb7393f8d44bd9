import type { Db, Tx } from './db.js';
import { DbError } from './db-error.js';

/** serialization_failure and deadlock_detected: nothing was stored, the same work may run again. */
const repeatable: ReadonlySet<string> = new Set(['40001', '40P01']);
const ATTEMPTS_MAX = 5;
const BASE_DELAY_MS = 10;

/**
 * Runs a transaction and repeats it when PostgreSQL asks for that (deadlock, serialization), at
 * most five times with growing random pauses. A lost COMMIT answer is never repeated here.
 * `work` must therefore do nothing but SQL.
 */
export async function retryTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const again = error instanceof DbError && repeatable.has(error.code);
      if (!again || attempt >= ATTEMPTS_MAX) throw error;
      const delayMs = BASE_DELAY_MS * 2 ** attempt * Math.random();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
