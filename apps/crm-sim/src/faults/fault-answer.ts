import { randomUUID } from 'node:crypto';
import type { Answer } from '../answers/answer.js';
import { rateLimited } from '../limits/rate-limiter.js';
import type { Fault } from './fault-rule.js';

/** Words of the real API for the statuses it sends by itself. */
const KNOWN: Readonly<Record<number, { readonly category: string; readonly message: string }>> = {
  401: {
    category: 'EXPIRED_AUTHENTICATION',
    message: 'The OAuth token used to make this call expired 4 second(s) ago.',
  },
  403: {
    category: 'MISSING_SCOPES',
    message: "This app hasn't been granted all required scopes to make this call.",
  },
  423: {
    category: 'LOCKED',
    message: 'The resource is locked by another high-volume sync; try again in 2 seconds.',
  },
  477: {
    category: 'MIGRATION_IN_PROGRESS',
    message: 'The account is being moved to another data centre.',
  },
  500: { category: 'INTERNAL_ERROR', message: 'internal error' },
  502: { category: 'BAD_GATEWAY', message: 'bad gateway' },
  503: { category: 'SERVICE_UNAVAILABLE', message: 'service unavailable' },
  504: { category: 'GATEWAY_TIMEOUT', message: 'gateway timeout' },
};

const HTML =
  '<!DOCTYPE html><html><head><title>500 Internal Server Error</title></head>' +
  '<body><h1>Internal Server Error</h1></body></html>';

const POLICIES = ['TEN_SECONDLY_ROLLING', 'SECONDLY', 'DAILY'] as const;

/** What a `status` or `html-500` fault answers in the place of the true answer. */
export function faultAnswer(fault: Fault): Answer {
  const headers = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
  if (fault.type === 'html-500') {
    return {
      status: fault.status ?? 500,
      body: HTML,
      headers: { 'Content-Type': 'text/html', ...headers },
    };
  }
  const status = fault.status ?? 500;
  if (fault.body !== undefined) return { status, body: fault.body, headers };
  if (status === 429) {
    const policy = POLICIES.find((known) => known === fault.policyName) ?? 'TEN_SECONDLY_ROLLING';
    return { ...rateLimited(policy, randomUUID()), headers };
  }
  const known = KNOWN[status] ?? { category: 'ERROR', message: `status ${status}` };
  const body = {
    status: 'error',
    message: known.message,
    correlationId: randomUUID(),
    category: fault.category ?? known.category,
  };
  return { status, body, headers };
}
