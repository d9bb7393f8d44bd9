import { asTenantId, hash128, parseRecordKey, type DeadLetter } from '@counterpart/sync-model';

/** The parking note of a message that cannot be read: where it lies, and what is wrong. */
export const unreadableMessage = (
  message: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: string;
    readonly key: string;
  },
  fault: { readonly code: string; readonly detail: string },
  nowMs: number,
): DeadLetter => {
  const evidenceRef = `kafka:${message.topic}/${message.partition}/${message.offset}`;
  return {
    messageId: hash128(`dead|sync-writer|${evidenceRef}`),
    tenantId: parseRecordKey(message.key)?.tenantId ?? asTenantId(''),
    caseClass: 'processing-failure',
    service: 'sync-writer',
    code: fault.code,
    detail: fault.detail,
    evidenceRef,
    occurredAtMs: nowMs,
  };
};
