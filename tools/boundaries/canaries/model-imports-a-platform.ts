// @as libs/sync-model/src/canary.ts
// @rule @nx/enforce-module-boundaries
import { createPool } from '@counterpart/platform-postgres';
export const pool = createPool;
