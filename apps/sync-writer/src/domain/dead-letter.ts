import {
  asTenantId,
  hash128,
  parseRecordKey,
  type DeadLetter,
  type TenantId,
} from '@counterpart/sync-model';

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
    tenantId: storableTenant(message.key),
    caseClass: 'processing-failure',
    service: 'sync-writer',
    code: fault.code,
    detail: fault.detail,
    evidenceRef,
    occurredAtMs: nowMs,
  };
};

/** PostgreSQL stores no NUL and no half of a surrogate pair; such a key names no tenant of ours. */
const unstorable = /[\0\p{Cs}]/u;

const storableTenant = (key: string): TenantId => {
  const tenantId = parseRecordKey(key)?.tenantId ?? asTenantId('');
  return unstorable.test(tenantId) ? asTenantId('') : tenantId;
};

/** What is wrong with an operation that could be read but not be stored; undefined when nothing is. */
export const unstorableOperation = (
  payload: string,
): { readonly code: string; readonly detail: string } | undefined =>
  /\\u0000|\\ud[89a-f]/i.test(payload)
    ? { code: 'text-unstorable', detail: 'A text in the operation holds what no database stores.' }
    : undefined;
