import { asTenantId, hash128, type DeadLetter } from '@counterpart/sync-model';
import { isStorable } from './event-check.js';

/**
 * The parking note of a message that cannot be read or cannot be kept. `tenantId` is what the
 * message says of itself, so it may be anything: what cannot be stored is left out, since a note
 * that cannot be written would stall everything behind it.
 */
export const parkedMessage = (
  message: { readonly place: string; readonly tenantId: string | undefined },
  fault: { readonly code: string; readonly detail: string },
  nowMs: number,
): DeadLetter => ({
  messageId: hash128(`dead|dedupe|${message.place}`),
  tenantId: asTenantId(isStorable(message.tenantId ?? '') ? (message.tenantId ?? '') : ''),
  caseClass: 'processing-failure',
  service: 'dedupe',
  code: fault.code,
  detail: fault.detail,
  evidenceRef: message.place,
  occurredAtMs: nowMs,
});
