import { editorSchema } from './plan-schema.js';
import type { PlanDocument } from './plan-schema.js';
import type { SyncPlan } from './plan.js';
import { toPlan } from './to-plan.js';

/**
 * A plan as data, all defaults written out and all keys sorted, so that its JSON is canonical.
 * Throws on another shape.
 */
export function planDocumentOf(data: unknown): PlanDocument {
  return editorSchema.parse(sorted(editorSchema.parse(data)));
}

export type PlanJsonResult =
  | { readonly ok: true; readonly plan: SyncPlan }
  | { readonly ok: false; readonly code: 'plan-unreadable'; readonly detail: string };

/** Reads the JSON of a registry entry. Only its shape is checked again: it was checked when applied. */
export function planOfJson(json: string): PlanJsonResult {
  try {
    return { ok: true, plan: toPlan(editorSchema.parse(JSON.parse(json))) };
  } catch {
    return {
      ok: false,
      code: 'plan-unreadable',
      detail: 'this version cannot read the plan; apply it again with the current command line',
    };
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
