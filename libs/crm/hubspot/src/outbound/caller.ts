import type {
  CallScope,
  Connection,
  CrmPorts,
  HttpAnswer,
  HttpOutcome,
  HttpRequest,
} from '@counterpart/crm-port';
import { classifyAnswer } from './classify.js';
import { quotaPause } from './quota.js';

/** One call to HubSpot, before host, token and deadline are added. */
export interface HubspotCall {
  readonly scope: CallScope;
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: unknown;
}

export type Sent =
  | Answered
  | Exclude<HttpOutcome, HttpAnswer>
  | { readonly kind: 'throttled'; readonly retryAtMs: number; readonly code: string };

/** One moment for all that is concluded from an answer, so that every conclusion is the same. */
export type Answered = HttpAnswer & { readonly answeredAtMs: number };

/**
 * All calls of one method of the adapter. They share one deadline, counted from the start of the
 * method: whoever waits for a write to be certainly dead counts from there, so a batch that is cut
 * in halves, or sent in waves, must not send its last part later than that.
 */
export interface Calls {
  send(call: HubspotCall): Promise<Sent>;
}

export type BeginCalls = () => Calls;

/** Code of a refused budget; the caller knows by it that no attempt was made. */
const quotaCode = 'quota';

/** Sends within the budget and the deadline, and tells the budget what the answers say of limits. */
export const createCaller =
  (connection: Connection, { http, clock, budget }: CrmPorts): BeginCalls =>
  () => {
    const spanMs = connection.timing.requestDeadlineMs;
    const startedMs = clock.monotonicMs();
    const deadlineMs = clock.nowMs() + spanMs;

    const take = async (scope: CallScope): Promise<Sent | null> => {
      const granted = await budget.take(scope).catch(() => null);
      if (granted === null) return { kind: 'unsent', code: 'budget-unavailable' };
      return granted.ok
        ? null
        : { kind: 'throttled', retryAtMs: granted.retryAtMs, code: quotaCode };
    };

    const send = async (call: HubspotCall): Promise<Sent> => {
      const refused = await take(call.scope);
      if (refused !== null) return refused;
      // After the wait for the budget and right before the socket: a process that was paused here
      // must not write when others already count on its silence.
      if (clock.monotonicMs() - startedMs >= spanMs) return { kind: 'unsent', code: 'deadline' };
      const outcome = await http(requestOf(connection, call, deadlineMs)).catch(
        (): HttpOutcome => ({ kind: 'unknown', code: 'http-fault' }),
      );
      if (outcome.kind !== 'answer') return outcome;
      const answered = { ...outcome, answeredAtMs: clock.nowMs() };
      const pause = pauseOf(answered);
      // A pause that cannot be recorded must not cost the verdict of a write that was made.
      if (pause !== null) await budget.pause(pause.untilMs, pause.reason).catch(() => undefined);
      return answered;
    };
    return { send };
  };

const requestOf = (connection: Connection, call: HubspotCall, deadlineMs: number): HttpRequest => ({
  method: call.method,
  url: connection.baseUrl.replace(/\/+$/, '') + call.path,
  headers: {
    authorization: `Bearer ${connection.accessToken}`,
    accept: 'application/json',
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  body: call.body === undefined ? undefined : JSON.stringify(call.body),
  deadlineMs,
  allowPrivateAddress: connection.allowPrivateAddress,
});

/** A locked record (423) concerns nobody else; limits and a moving account concern every call. */
const pauseOf = (
  answer: Answered,
): { readonly untilMs: number; readonly reason: string } | null => {
  if (answer.status !== 429 && answer.status !== 477)
    return quotaPause(answer, answer.answeredAtMs);
  const failure = classifyAnswer(answer, answer.answeredAtMs);
  return failure.kind === 'throttled' ? { untilMs: failure.retryAtMs, reason: failure.code } : null;
};
