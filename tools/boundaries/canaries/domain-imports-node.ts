// @as apps/dedupe/src/domain/canary.ts
// @rule no-restricted-imports
import { createHash } from 'node:crypto';
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
