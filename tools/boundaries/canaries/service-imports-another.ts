// @as apps/ingest/src/canary.ts
// @rule @nx/enforce-module-boundaries
import { flow } from '../../dedupe/src/flow.js';
export const foreign = flow;
