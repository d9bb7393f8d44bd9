import type { ReadResult } from '@counterpart/crm-port';
import type { Sent } from './caller.js';
import { classifyAnswer } from './classify.js';
import { parseObject, type JsonObject } from './untrusted-json.js';

export type Unreadable = Extract<ReadResult, { kind: 'unreadable' }>;

export type ReadBody =
  | { readonly kind: 'body'; readonly body: JsonObject }
  /** The whole question was about one record, and HubSpot does not have it. */
  | { readonly kind: 'absent' }
  | Unreadable;

export const unreadable = (code: string, retryAtMs: number | null = null): Unreadable => ({
  kind: 'unreadable',
  code,
  retryAtMs,
});

/**
 * The body of an answer to a read. Everything that is no clear answer is `unreadable`: a read that
 * went wrong must never pass for "there is no such record".
 */
export const readBody = (sent: Sent): ReadBody => {
  if (sent.kind !== 'answer') {
    return unreadable(sent.code, sent.kind === 'throttled' ? sent.retryAtMs : null);
  }
  if (sent.status >= 200 && sent.status < 300) {
    const body = parseObject(sent.body);
    return body === undefined ? unreadable('no-verdict') : { kind: 'body', body };
  }
  const failure = classifyAnswer(sent, sent.answeredAtMs);
  if (failure.kind === 'throttled') return unreadable(failure.code, failure.retryAtMs);
  return failure.kind === 'refused' && failure.code === 'not-found'
    ? { kind: 'absent' }
    : unreadable(failure.code);
};
