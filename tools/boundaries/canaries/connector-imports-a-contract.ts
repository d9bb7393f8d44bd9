// @as libs/crm/hubspot/src/canary.ts
// @rule @nx/enforce-module-boundaries
import { topics } from '@counterpart/contracts';
export const known = topics;
