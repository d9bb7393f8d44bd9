// @as apps/sync-writer/src/domain/canary.ts
// @rule no-restricted-imports
import { settleBatch } from '../application/settle-batch.js';
export const steps = settleBatch;
