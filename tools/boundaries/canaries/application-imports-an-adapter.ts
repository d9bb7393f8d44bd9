// @as apps/sync-writer/src/application/canary.ts
// @rule no-restricted-imports
import { createLaneStore } from '../adapters/outbound/lane-store.js';
export const store = createLaneStore;
