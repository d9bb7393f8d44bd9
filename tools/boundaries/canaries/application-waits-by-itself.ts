// @as apps/sync-writer/src/application/canary.ts
// @rule no-restricted-syntax
export const later = (work: () => void): unknown => setTimeout(work, 1_000);
