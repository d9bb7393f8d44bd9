import { asTenantId, hash128, type DeadLetter } from '@counterpart/sync-model';

/** Where a message lies. */
export interface MessagePlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
}

/**
 * The parking note of a message that cannot be read: where it lies, and what is wrong. The id comes
 * from the place, so that reading the message again parks it once.
 */
export function unreadableMessage(
  message: MessagePlace,
  fault: { readonly code: string; readonly detail: string },
  nowMs: number,
): DeadLetter {
  const evidenceRef = `kafka:${message.topic}/${message.partition}/${message.offset}`;
  return {
    messageId: hash128(`dead|reconciler|${evidenceRef}`),
    // Every key begins with the tenant.
    tenantId: asTenantId(message.key.split('\u001f')[0] ?? ''),
    caseClass: 'processing-failure',
    service: 'reconciler',
    code: fault.code,
    detail: fault.detail,
    evidenceRef,
    occurredAtMs: nowMs,
  };
}
