import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from './fault.mjs';

/**
 * Asks `attempt` again and again until it resolves to something truthy, and returns that.
 * A throw counts as "not yet". After `timeoutMs` it throws a Fault naming `what` and the last reason.
 * `giveUp` is asked between tries and may throw to end the wait early (the process died).
 */
export async function until(what, attempt, { timeoutMs, everyMs = 50, giveUp = async () => {} }) {
  const deadlineAtMs = Date.now() + timeoutMs;
  let reason = 'no answer';
  for (;;) {
    try {
      const answer = await attempt();
      if (answer) return answer;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    await giveUp();
    if (Date.now() > deadlineAtMs) {
      throw new Fault(`${what}: nothing after ${timeoutMs / 1000} s (${reason})`);
    }
    await delay(everyMs);
  }
}
