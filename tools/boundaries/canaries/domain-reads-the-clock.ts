// @as apps/sync-writer/src/domain/canary.ts
// @rule no-restricted-syntax
export const age = (sinceMs: number): number => Date.now() - sinceMs;
