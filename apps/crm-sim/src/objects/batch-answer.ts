import { toItem, type Answer, type HubSpotError } from '../answers/answer.js';
import type { Portal } from '../portals/portal.js';
import { instantText } from '../properties/values.js';

/** One refused input of a batch. */
export interface ItemError {
  readonly error: HubSpotError;
  /** The input's own trace id, when it has one. */
  readonly traceId?: string | undefined;
}

/** A batch's answer: `status` when all went well, 207 with both lists otherwise. */
export function batchAnswer(
  portal: Portal,
  status: number,
  results: readonly unknown[],
  errors: readonly ItemError[] = [],
): Answer {
  const at = instantText(portal.clock.nowMs());
  return {
    status: errors.length > 0 ? 207 : status,
    body: {
      status: 'COMPLETE',
      results,
      ...(errors.length > 0 && {
        numErrors: errors.length,
        errors: errors.map(({ error, traceId }) => toItem(error, traceId)),
      }),
      startedAt: at,
      completedAt: at,
    },
  };
}
