import { randomUUID } from 'node:crypto';
import type { Answer } from '../answers/answer.js';
import type { CallKind, LoggedCall } from '../calls/call-log.js';
import { faultAnswer } from '../faults/fault-answer.js';
import type { PlannedFault } from '../faults/fault-plan.js';
import type { Fault } from '../faults/fault-rule.js';
import { rateLimited } from '../limits/rate-limiter.js';
import type { Portal } from '../portals/portal.js';
import type { Wire } from './wire.js';

/*
 * The life of a call: counted against the limits, then perhaps struck by a fault; it waits the first
 * part of its latency, changes the CRM in one step (commits), waits the rest and is answered. A call
 * once begun runs to its end whether or not the client still waits, as a real server's does: that is
 * why a client that gave up must not believe that nothing happened.
 */

/** A silent call ends when the client leaves, or after this. */
const SILENCE_MAX_MS = 60_000;

export interface IncomingCall {
  readonly method: string;
  readonly path: string;
  readonly kind: CallKind;
  readonly items: number;
  readonly rawBody: string;
  /** Changes the CRM and says what to answer. Runs at most once. */
  readonly execute: () => Answer;
}

/** Runs one authorised call on a portal and answers it on the wire, or fails to, as planned. */
export function runCall(portal: Portal, call: IncomingCall, wire: Wire): void {
  const { clock, behaviour } = portal;
  const entry = portal.calls.open({ ...pick(call), atMs: clock.nowMs() });
  const limited = portal.limits.take(behaviour.rateLimit, call.kind === 'search', clock.nowMs());
  if (limited) {
    entry.limited = limited;
    finish(portal, call, entry, wire, rateLimited(limited, randomUUID()));
    return;
  }
  const struck = portal.faults.strike(call);
  entry.fault = struck?.fault.type ?? null;
  const [minMs, maxMs] =
    call.kind === 'create' ? behaviour.createLatencyMs : behaviour.callLatencyMs;
  const latencyMs = portal.latencyRandom.between(minMs, maxMs);
  // The commit falls somewhere into the latency: neither at its start nor at its end.
  const commitMs = Math.round(latencyMs * portal.latencyRandom.fraction());
  const step: Step = { portal, call, entry, wire, restMs: latencyMs - commitMs };
  const early =
    struck?.fault.type === 'delay' && !struck.fault.afterCommit ? (struck.fault.delayMs ?? 0) : 0;
  wait(portal, commitMs + early, () =>
    struck ? strike(step, struck.planned, struck.fault) : normal(step),
  );
}

interface Step {
  readonly portal: Portal;
  readonly call: IncomingCall;
  readonly entry: LoggedCall;
  readonly wire: Wire;
  readonly restMs: number;
}

function normal(step: Step, extraMs = 0): void {
  const answer = commit(step);
  wait(step.portal, step.restMs + extraMs, () => respond(step, answer));
}

function strike(step: Step, planned: PlannedFault, fault: Fault): void {
  switch (fault.type) {
    case 'delay':
      return normal(step, fault.afterCommit ? (fault.delayMs ?? 0) : 0);
    case 'status':
    case 'html-500':
      if (fault.afterCommit) commit(step);
      return wait(step.portal, step.restMs, () => respond(step, faultAnswer(fault)));
    case 'reset-before':
      return step.wire.reset();
    case 'reset-after':
      commit(step);
      return wait(step.portal, step.restMs, () => step.wire.reset());
    case 'cut-answer': {
      const answer = commit(step);
      return wait(step.portal, step.restMs, () => step.wire.cut(answer));
    }
    case 'commit-no-answer':
      commit(step);
      return silence(step);
    case 'hold-answer':
      return hold(step, planned, commit(step));
    default:
      return fault.type satisfies never;
  }
}

function commit(step: Step): Answer {
  const before = step.portal.changes;
  const answer = step.call.execute();
  step.entry.committed = step.portal.changes !== before;
  return answer;
}

function silence(step: Step): void {
  const giveUp = step.portal.clock.after(SILENCE_MAX_MS, () => step.wire.reset());
  step.wire.onGone(giveUp);
}

function hold(step: Step, planned: PlannedFault, answer: Answer): void {
  const letGo = step.portal.faults.hold(planned, () => respond(step, answer));
  step.wire.onGone(letGo);
}

const respond = (step: Step, answer: Answer): void =>
  finish(step.portal, step.call, step.entry, step.wire, answer);

function finish(
  portal: Portal,
  call: IncomingCall,
  entry: LoggedCall,
  wire: Wire,
  answer: Answer,
): void {
  const nowMs = portal.clock.nowMs();
  entry.status = answer.status;
  entry.answeredAtMs = nowMs;
  const limits = portal.limits.headers(portal.behaviour.rateLimit, call.kind === 'search', nowMs);
  wire.send({ ...answer, headers: { ...limits, ...answer.headers } });
}

function wait(portal: Portal, ms: number, then: () => void): void {
  if (ms <= 0) then();
  else portal.clock.after(ms, then);
}

const pick = ({ method, path, kind, items }: IncomingCall) => ({ method, path, kind, items });
